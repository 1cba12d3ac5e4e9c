"""What became of the gate's steps: read from the JUnit files that Swift Testing and pytest write, and summed."""

import dataclasses
import pathlib
import threading
import xml.etree.ElementTree as ElementTree


@dataclasses.dataclass
class Step:
    name: str
    command: list
    # Names of steps without whose success this one is not tried.
    needs: list = ()
    # The JUnit file that the step writes; none for a step that runs no tests.
    tests: pathlib.Path | None = None
    environment: dict = dataclasses.field(default_factory=dict)
    # Seconds.
    limit: int = 900
    # nice(1): whoever waits for a clock goes before whoever only wants to be done.
    niceness: int = 0
    # Why the step as a whole did not succeed.
    trouble: str | None = "did not run: the gate stopped before it"
    passed: int = 0
    skipped: int = 0
    # Name and message of each failed test.
    failures: list = dataclasses.field(default_factory=list)
    output: str = ""
    # By the clock, and of processors.
    seconds: float = 0
    work: float = 0
    # Set once all of the above is final.
    ended: threading.Event = dataclasses.field(default_factory=threading.Event)

    @property
    def failed(self):
        """Failed tests; one for a step that did not succeed although none of its tests is known to have failed."""
        return len(self.failures) or (1 if self.trouble else 0)

    @property
    def verdict(self):
        if not self.tests:
            return self.trouble or "done"
        words = f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")
        return words + (f" ({self.trouble})" if self.trouble else "")


def read_report(step, sanitizer_reports):
    """Counts the tests of a step's JUnit file. No file, a broken one or one without tests is trouble of the step."""
    for file in sanitizer_reports:
        step.failures.append((f"sanitizer report {file.name}", file.read_text(errors="replace")))
    if not step.tests:
        return
    try:
        cases = list(ElementTree.parse(step.tests).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        step.trouble = f"{step.trouble or 'ended well'}, but its tests did not run to their end: {error}"
        return
    if "pytest" in step.command:
        # A test that was tried again stands there twice; its last try counts.
        cases = list({(case.get("classname"), case.get("name")): case for case in cases}.values())
    for case in cases:
        faults = case.findall("failure") + case.findall("error")
        if faults:
            message = "\n".join(fault.text or fault.get("message") or "" for fault in faults)
            step.failures.append((f"{case.get('classname')} {case.get('name')}", message))
        elif case.find("skipped") is not None:
            step.skipped += 1
        else:
            step.passed += 1
    if not cases:
        step.trouble = f"{step.trouble or 'ended well'}, but no test ran"


def essence(message, lines=12, width=300):
    """What pytest marks as the error, or else the end."""
    marked = [line for line in message.splitlines() if line.startswith("E ")] or message.splitlines()[-lines:]
    return "\n".join(f"    {line[:width]}" for line in marked[:lines])


def report(steps, seconds):
    """Prints the failing parts again, the time of each step, and the sum as the last line. Gives the exit status."""
    for step in steps:
        if not step.failed:
            continue
        print(f"\n== FAILED: {step.name}: {step.verdict}")
        for name, message in step.failures:
            print(f"-- {name}\n{message.rstrip()}")
        if not step.failures:
            print("\n".join(step.output.splitlines()[-80:]))
    print("\n== steps: seconds by the clock, and of processors")
    for step in steps:
        print(f"{step.seconds:6.0f} {step.work:6.0f}  {step.name}: {step.verdict}")
    print(f"{seconds:6.0f} {sum(step.work for step in steps):6.0f}  all")
    # Again, in short: of a long log often the end alone is at hand.
    for step in steps:
        for name, message in step.failures:
            print(f"FAILED {step.name}: {name}\n{essence(message)}")
    passed, failed, skipped = (sum(getattr(step, what) for step in steps) for what in ("passed", "failed", "skipped"))
    print(f"\n{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return 1 if failed or not passed else 0
