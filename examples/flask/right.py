import hashlib
import hmac
import json
import os
import threading

from flask import Flask, request

secret = os.environ.get("WEBHOOK_SECRET", "only-for-trying").encode()
effects = {}
lock = threading.Lock()
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 16 * 1024 * 1024


@app.post("/hooks")
def take():
    body = request.get_data()
    if not is_signed(body, request.headers.get("X-SVC-Webhook-Signature", "")):
        return "", 401
    try:
        notification_id = json.loads(body)["data"]["id"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return "", 400
    if not isinstance(notification_id, str) or not notification_id:
        return "", 400
    with lock:
        effects.setdefault(notification_id, 1)
    return "", 202


# The probe: how often did this notification take effect?
@app.get("/effects/<notification_id>")
def count(notification_id):
    return {"count": effects.get(notification_id, 0)}


# A body that breaks off, or whose framing is wrong.
@app.errorhandler(OSError)
def unreadable(error):
    return "", 400


def is_signed(body, signature):
    expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
    # compare_digest takes text of ASCII characters only, but bytes of any kind.
    return hmac.compare_digest(expected.encode(), signature.encode("utf-8", "surrogateescape"))


app.run(port=int(os.environ.get("PORT", "3000")))
