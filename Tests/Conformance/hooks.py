"""What schemathesis does to each request before it is sent."""

import ipaddress
import itertools
import re
import time

import schemathesis

ADDRESSES = (str(ipaddress.ip_address("198.18.0.0") + number) for number in itertools.count(1))


class Writes:
    """A token may write four hundred times at once and twenty times a second: a little less is asked for."""

    BURST, RATE = 360, 18

    def __init__(self):
        self.left, self.at = self.BURST, time.monotonic()

    def take(self):
        if self.left < 1:
            time.sleep(1 / self.RATE)
        now = time.monotonic()
        self.left = min(self.left + (now - self.at) * self.RATE, self.BURST) - 1
        self.at = now


WRITES = Writes()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request comes from a client of its own: ten bad tokens a minute from one are answered with 429 from then on,
    and the check that tokens are looked at sends more than that."""
    case.headers = {**(case.headers or {}), "X-Forwarded-For": next(ADDRESSES)}
    if case.method not in ("GET", "HEAD", "OPTIONS", "TRACE"):
        WRITES.take()
    query = case.query or {}
    # What is waited for a minute would take the run's.
    if case.operation.path.endswith("/scan") and re.fullmatch("[1-9][0-9]?s", str(query.get("wait"))):
        query["wait"] = "1s"
    # A cursor that was made up is none, and refused; without it, what else is asked of a list must be taken.
    if case.meta and case.meta.generation.mode.is_positive:
        query.pop("cursor", None)
    # The document's example is not to be looked for beyond this machine.
    if case.operation.path == "/api/v1/targets" and case.method == "POST":
        for target in case.body if isinstance(case.body, list) else [case.body]:
            if isinstance(target, dict) and target.get("host") == "api.example.com":
                target.setdefault("addresses", ["127.0.0.1"])
