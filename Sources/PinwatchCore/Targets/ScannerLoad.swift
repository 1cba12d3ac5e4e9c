/// How much a scanner has to do.
package struct ScannerLoad: Sendable, Hashable {
    /// Targets that are due and have not begun.
    package let waiting: Int
    /// Scans that have begun and not ended.
    package let open: Int
    /// Addresses being visited, over all scans.
    package let inFlight: Int
    /// Scans that have ended and are not recorded.
    package let unreleased: Int
    /// How long the first of those that wait has been due.
    package let oldestWaitSeconds: Int64

    package init(waiting: Int = 0, open: Int = 0, inFlight: Int = 0, unreleased: Int = 0, oldestWaitSeconds: Int64 = 0)
    {
        self.waiting = waiting
        self.open = open
        self.inFlight = inFlight
        self.unreleased = unreleased
        self.oldestWaitSeconds = oldestWaitSeconds
    }
}
