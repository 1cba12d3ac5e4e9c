"""Counts of a crash test, by point, and the table of them."""

import dataclasses
import threading


@dataclasses.dataclass
class Counts:
    rounds: int = 0
    # Killed with a transaction open.
    open: int = 0
    # Messages that came again under the same id.
    repeats: int = 0
    lost: int = 0
    doubled: int = 0
    broken: int = 0


class Tally:
    def __init__(self):
        self._lock = threading.Lock()
        self._counts = {}
        self.faults = []

    def add(self, point, before, after, is_open, broken):
        """One round: the audits before and after it, and how the killed process was found."""
        with self._lock:
            counts = self._counts.setdefault(point, Counts())
            counts.rounds += 1
            counts.open += is_open
            counts.repeats += after.repeats - before.repeats
            counts.lost += after.lost - before.lost
            counts.doubled += after.doubled - before.doubled
            counts.broken += broken
            self.faults += [f"{point}: {fault}" for fault in after.faults if fault not in before.faults]

    def settle(self, point, after):
        """The audit at the end of rounds that were not audited one by one."""
        with self._lock:
            counts = self._counts[point]
            counts.repeats += after.repeats
            counts.lost += after.lost
            counts.doubled += after.doubled
            self.faults += [f"{point}: {fault}" for fault in after.faults]

    def counts(self, point):
        return self._counts.get(point, Counts())

    @property
    def total(self):
        total = Counts()
        for counts in self._counts.values():
            for name, count in vars(counts).items():
                setattr(total, name, getattr(total, name) + count)
        return total

    def __str__(self):
        names = [field.name for field in dataclasses.fields(Counts)]
        lines = [f"{'killed at':<36}" + "".join(f"{name:>9}" for name in names)]
        for point, counts in sorted(self._counts.items()) + [("all", self.total)]:
            lines.append(f"{point:<36}" + "".join(f"{getattr(counts, name):>9}" for name in names))
        return "\n" + "\n".join(lines) + "\n"
