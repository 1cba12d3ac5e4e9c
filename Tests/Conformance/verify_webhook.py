#!/usr/bin/env python3
"""Verifies received webhooks with the PyPI package `standardwebhooks`.

    verify_webhook.py SECRET < received.jsonl

Each line of the input is {"headers": {name: value, ...}, "body": base64}. Timestamps may be as old as the recording is:
the library's tolerance of five minutes is measured from the time that each message names. Exits 1 at the first line that
does not verify, or if there is none; else prints "N verified".
"""
import base64
import datetime
import json
import sys
from unittest import mock

import standardwebhooks.webhooks
from standardwebhooks import Webhook


def clock_at(seconds):
    """The library's view of the time, for one message."""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    frozen = mock.Mock(wraps=datetime.datetime)
    frozen.now.side_effect = lambda zone=None: moment
    return mock.patch.object(standardwebhooks.webhooks, "datetime", frozen)


def verify(webhook, line):
    record = json.loads(line)
    headers = {name.lower(): value for name, value in record["headers"].items()}
    body = base64.b64decode(record["body"], validate=True)
    with clock_at(int(headers["webhook-timestamp"])):
        webhook.verify(body, headers)
    message = json.loads(body)
    if message["id"] != headers["webhook-id"]:
        raise ValueError("the body's id is %r, the header's %r" % (message["id"], headers["webhook-id"]))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    webhook = Webhook(sys.argv[1])
    count = 0
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            verify(webhook, line)
        except Exception as problem:  # whatever it is, the message did not verify
            sys.exit("line %d: %s: %s" % (number, type(problem).__name__, problem))
        count += 1
    if count == 0:
        sys.exit("no webhook was received")
    print("%d verified" % count)


if __name__ == "__main__":
    main()
