extension StoreError {
    package var isPassing: Bool {
        switch self {
        case .locked, .full, .readOnly, .damaged: true
        case .cannotOpen, .foreign, .newer, .served, .refused, .unreadableRow, .closed: false
        }
    }
}
