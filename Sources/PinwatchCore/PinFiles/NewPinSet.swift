/// A pin set that is to be stored, with the files that it was read from.
package struct NewPinSet: Sendable {
    package let definition: PinSetDefinition
    /// As they were handed over; empty for one that was written by hand.
    package let originals: [HandedFile]

    package init(_ definition: PinSetDefinition, originals: [HandedFile]) {
        self.definition = definition
        self.originals = originals
    }
}
