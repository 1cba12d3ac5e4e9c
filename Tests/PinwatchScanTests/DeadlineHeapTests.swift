import Testing

@testable import PinwatchScan

/// A heap of deadlines agrees with a plain list of them, whatever is set and removed.
struct DeadlineHeapTests {
    private func time(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    /// Takes every slot whose time has come by `now`, in order.
    private func take(_ heap: inout DeadlineHeap, at now: Int64) -> [Int] {
        var slots: [Int] = []
        while let slot = heap.expired(at: time(now)) {
            slots.append(slot)
            heap.remove(slot)
        }
        return slots
    }

    @Test func `an empty heap has nothing, and removing from it does nothing`() {
        var heap = DeadlineHeap()
        heap.remove(0)
        heap.remove(1_000)
        #expect(heap.earliest == nil)
        #expect(heap.expired(at: time(.max)) == nil)
    }

    @Test(arguments: [(9, nil), (10, 4), (11, 4)] as [(Int64, Int?)])
    func `a deadline has come when the time is reached`(now: Int64, slot: Int?) {
        var heap = DeadlineHeap()
        heap.set(4, to: time(10))
        #expect(heap.earliest == time(10))
        #expect(heap.expired(at: time(now)) == slot)
    }

    @Test(arguments: [[1, 2, 3, 4], [4, 3, 2, 1], [2, 4, 1, 3], [3, 1, 4, 2]] as [[Int64]])
    func `slots come in the order of their deadlines`(deadlines: [Int64]) {
        var heap = DeadlineHeap()
        for (slot, deadline) in deadlines.enumerated() { heap.set(slot, to: time(deadline)) }
        let order = deadlines.indices.sorted { deadlines[$0] < deadlines[$1] }
        #expect(take(&heap, at: 4) == order)
        #expect(heap.earliest == nil)
    }

    @Test func `a slot set again has its new deadline alone`() {
        var heap = DeadlineHeap()
        for slot in 0..<3 { heap.set(slot, to: time(Int64(10 + slot))) }
        heap.set(2, to: time(1))
        #expect(heap.expired(at: time(5)) == 2)
        heap.set(2, to: time(50))
        #expect(take(&heap, at: 49) == [0, 1])
        #expect(take(&heap, at: 50) == [2])
    }

    @Test(arguments: 0..<7)
    func `a slot removed from any place leaves the others in order`(removed: Int) {
        var heap = DeadlineHeap()
        for slot in 0..<7 { heap.set(slot, to: time(Int64(slot))) }
        heap.remove(removed)
        heap.remove(removed)
        #expect(take(&heap, at: 7) == (0..<7).filter { $0 != removed })
    }

    @Test func `a slot far beyond the others, and one used again, are like any`() {
        var heap = DeadlineHeap()
        heap.set(5_000, to: time(2))
        heap.set(0, to: time(3))
        #expect(take(&heap, at: 2) == [5_000])
        heap.set(5_000, to: time(4))
        #expect(take(&heap, at: 4) == [0, 5_000])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a thousand changes agree with a plain list`(seed: UInt64) {
        var state = seed
        /// A linear congruential generator (Knuth's MMIX), so that a failure can be had again.
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var heap = DeadlineHeap()
        var list: [Int: Int64] = [:]
        for _ in 0..<1_000 {
            let slot = next(40)
            if next(3) == 0 {
                heap.remove(slot)
                list[slot] = nil
            } else {
                let deadline = Int64(next(25))
                heap.set(slot, to: time(deadline))
                list[slot] = deadline
            }
            #expect(heap.earliest?.nanoseconds == list.values.min())
            let expired = heap.expired(at: time(12))
            #expect(expired.map { list[$0] == list.values.min() } ?? list.values.allSatisfy { $0 > 12 })
        }
        #expect(take(&heap, at: 25).map { list[$0] } == list.values.sorted())
    }
}
