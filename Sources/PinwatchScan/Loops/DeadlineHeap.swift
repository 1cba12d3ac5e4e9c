/// Deadlines of the slots of one loop: the earliest in constant time, changes in O(log n), nothing left of a slot that
/// was removed.
struct DeadlineHeap {
    private var heap: [(deadline: MonotonicTime, slot: Int)] = []
    /// Place in the heap by slot; -1 for none.
    private var places: [Int] = []

    var earliest: MonotonicTime? { heap.first?.deadline }

    /// The slot whose deadline is the earliest, if that has come.
    func expired(at now: MonotonicTime) -> Int? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        return first.slot
    }

    /// Sets a slot's deadline, in place of one that it may have.
    mutating func set(_ slot: Int, to deadline: MonotonicTime) {
        while places.count <= slot { places.append(-1) }
        if places[slot] < 0 {
            places[slot] = heap.count
            heap.append((deadline, slot))
        } else {
            heap[places[slot]].deadline = deadline
        }
        settle(places[slot])
    }

    mutating func remove(_ slot: Int) {
        guard slot < places.count, places[slot] >= 0 else { return }
        let place = places[slot]
        swap(place, heap.count - 1)
        heap.removeLast()
        places[slot] = -1
        if place < heap.count { settle(place) }
    }

    private mutating func settle(_ start: Int) {
        var place = start
        while place > 0, heap[place].deadline < heap[(place - 1) / 2].deadline {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        while 2 * place + 1 < heap.count {
            var child = 2 * place + 1
            if child + 1 < heap.count, heap[child + 1].deadline < heap[child].deadline { child += 1 }
            guard heap[child].deadline < heap[place].deadline else { return }
            swap(place, child)
            place = child
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        places[heap[left].slot] = left
        places[heap[right].slot] = right
    }
}
