#!/usr/bin/env python3
"""Verifies received webhooks with the PyPI package `standardwebhooks`.

    verify_webhook.py SECRET < received.jsonl

Each line of the input is {"headers": {name: value, ...}, "body": base64}, received within the last five minutes: the
library refuses older timestamps. Exits 1 at the first line that does not verify, or if there is none; else prints
"N verified".
"""
import base64
import json
import sys

from standardwebhooks import Webhook


def verify(webhook, line):
    record = json.loads(line)
    headers = {name.lower(): value for name, value in record["headers"].items()}
    body = base64.b64decode(record["body"], validate=True)
    message = webhook.verify(body, headers)
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
