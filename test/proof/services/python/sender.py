"""Deliveries: a thread for each notification, which sleeps between its attempts."""

import hashlib
import hmac
import http.client
import json
import random
import socket
import threading
import time
import uuid
from datetime import datetime, timezone
from urllib.parse import urlsplit

RETRIES = 12
SAMPLE_RETRIES = 1
ACCEPTING = {200, 201, 202, 204}
ENOUGH = 65536


def now():
    return datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")


class Sender:
    def __init__(self, backoff, timeout):
        self.backoff = [pause / 1000 for pause in backoff]
        self.timeout = timeout / 1000
        self.notifications = []

    def notify(self, webhook, event, included):
        """To be called by one thread at a time, so that the list keeps its order."""
        notification = _notification(event)
        self.notifications.append(notification)
        body = _body(notification, included)
        threading.Thread(target=self._deliver, args=(webhook, notification, body), daemon=True).start()

    def sample(self, url, event, secret):
        """Is tried once more where it is not accepted; nothing is kept of it."""
        receiver = {"url": url, "headers": None, "secret": secret}
        body = _body(_notification(event), [])
        threading.Thread(target=self._attempts, args=(receiver, body, SAMPLE_RETRIES), daemon=True).start()

    def _deliver(self, webhook, notification, body):
        accepted = self._attempts(webhook, body, RETRIES)
        if not webhook.get("deleted"):
            notification["attributes"]["delivery_status"] = "succeeded" if accepted else "failed"

    def _attempts(self, receiver, body, retries):
        for number in range(retries + 1):
            if number > 0:
                self._pause(number)
            if receiver.get("deleted"):
                return False
            if self._post(receiver, body) in ACCEPTING:
                return True
        return False

    def _pause(self, retry):
        interval = self.backoff[min(retry, len(self.backoff)) - 1]
        time.sleep(interval * random.uniform(1, 1.25))

    def _post(self, receiver, body):
        """The status, or None where no whole answer came in time. Redirects are answers like any other."""
        url = urlsplit(receiver["url"])
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.hostname, url.port, timeout=self.timeout)
        end = time.monotonic() + self.timeout
        try:
            connection.connect()
            with Deadline(connection.sock, end - time.monotonic()) as deadline:
                self._write(connection, url, receiver, body)
                status = self._read(connection)
            return None if deadline.passed else status
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()

    @staticmethod
    def _write(connection, url, receiver, body):
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        connection.putrequest("POST", path, skip_accept_encoding=True)
        connection.putheader("Content-Type", "application/json; charset=utf-8")
        connection.putheader("Content-Length", str(len(body)))
        connection.putheader("Connection", "close")
        for header in receiver["headers"] or []:
            connection.putheader(capitalised(header["name"]), header["value"])
        if receiver["secret"] is not None:
            signature = hmac.new(receiver["secret"].encode(), body, hashlib.sha256).hexdigest()
            connection.putheader("X-SVC-Webhook-Signature", signature)
        connection.endheaders(body)

    @staticmethod
    def _read(connection):
        with connection.getresponse() as answer:
            read = len(answer.read(ENOUGH))
            # The connection may end before the announced length without an exception.
            is_cut_off = read < ENOUGH and answer.length not in (None, 0)
            return None if is_cut_off else answer.status


class Deadline:
    """Ends an exchange, however slowly it goes on."""

    def __init__(self, sock, seconds):
        self.sock = sock
        self.passed = False
        self.timer = threading.Timer(max(seconds, 0), self._end)
        self.timer.daemon = True

    def __enter__(self):
        self.timer.start()
        return self

    def __exit__(self, *_):
        self.timer.cancel()

    def _end(self):
        self.passed = True
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def capitalised(name):
    return "-".join(part[:1].upper() + part[1:] for part in name.split("-"))


def _notification(event):
    attributes = {"event": event, "delivery_status": "pending", "created_at": now()}
    return {"id": str(uuid.uuid4()), "type": "webhook_notification", "attributes": attributes}


def _body(notification, included):
    return json.dumps({"data": notification, "included": included}).encode()
