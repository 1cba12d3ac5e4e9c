"""What schemathesis does to each request before it is sent."""

import ipaddress
import itertools
import re

import schemathesis

ADDRESSES = (str(ipaddress.ip_address("198.18.0.0") + number) for number in itertools.count(1))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request comes from a client of its own: ten bad tokens a minute from one are answered with 429 from then on,
    and the check that tokens are looked at sends more than that."""
    case.headers = {**(case.headers or {}), "X-Forwarded-For": next(ADDRESSES)}
    query = case.query or {}
    # What is waited for a minute would take the run's.
    if case.operation.path.endswith("/scan") and re.fullmatch("[1-9][0-9]?s", str(query.get("wait"))):
        query["wait"] = "1s"
    # A cursor that was made up is none, and refused; without it, what else is asked of a list must be taken.
    if case.meta and case.meta.generation.mode.is_positive:
        query.pop("cursor", None)
