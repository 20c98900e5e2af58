"""What Python's email package reads in messages: a JSON list of base64 on stdin, a list of readings on stdout."""

import base64
import email
import email.header
import email.utils
import hashlib
import json
import sys


def leaves(part):
    if part.is_multipart():
        return [leaf for inner in part.get_payload() for leaf in leaves(inner)]
    content = part.get_payload(decode=True)
    return [[part.get_content_type(), part.get_filename() or "", hashlib.sha256(content).hexdigest()]]


def read(message):
    eml = email.message_from_bytes(base64.b64decode(message))
    subject = str(email.header.make_header(email.header.decode_header(eml["subject"] or "")))
    addresses = [
        [str(email.header.make_header(email.header.decode_header(name))), address]
        for name, address in email.utils.getaddresses(eml.get_all("to", []))
    ]
    try:
        date = email.utils.parsedate_to_datetime(eml["date"]).isoformat()
    except (TypeError, ValueError):
        date = ""
    return {"subject": subject, "to": addresses, "date": date, "leaves": leaves(eml)}


json.dump([read(message) for message in json.load(sys.stdin)], sys.stdout)
