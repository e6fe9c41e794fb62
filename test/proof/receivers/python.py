"""A webhook receiver on Python's standard library: threads, sqlite3, hmac. Answers 201."""

import hashlib
import hmac
import json
import os
import signal
import sqlite3
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

LIMIT = 16 * 1024 * 1024
SECRETS = [secret.encode() for secret in json.loads(os.environ["RECEIVER_SECRETS"])]
HEADER = "X-SVC-Webhook-Signature"


class Ledger:
    """The effects, one row for each id, written before the answer."""

    def __init__(self, path):
        self.lock = threading.Lock()
        self.database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("CREATE TABLE IF NOT EXISTS effects (id TEXT PRIMARY KEY, count INTEGER NOT NULL)")

    def add(self, notification_id):
        with self.lock:
            self.database.execute("INSERT INTO effects VALUES (?, 1) ON CONFLICT DO NOTHING", (notification_id,))

    def count(self, notification_id):
        with self.lock:
            row = self.database.execute("SELECT count FROM effects WHERE id = ?", (notification_id,)).fetchone()
        return row[0] if row else 0


class Refused(Exception):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # What has no version is answered like HTTP/1.0, with a status line.
    default_request_version = "HTTP/1.0"
    timeout = 60
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self):
        try:
            body = self.read_body()
            self.verify(body)
            LEDGER.add(self.read_id(body))
        except Refused as refusal:
            # What is left of the body must not be taken for a request.
            self.close_connection = True
            self.answer(refusal.status, {"error": "refused"})
        else:
            self.answer(201, {"stored": True})

    def do_GET(self):
        prefix = "/effects/"
        if not self.path.startswith(prefix):
            self.close_connection = True
            self.answer(404, {"error": "not found"})
            return
        self.answer(200, {"count": LEDGER.count(unquote(self.path[len(prefix) :]))})

    def read_body(self):
        encodings = self.headers.get_all("Transfer-Encoding", [])
        lengths = self.headers.get_all("Content-Length", [])
        if encodings and lengths:
            raise Refused(400)
        if encodings:
            if [encoding.strip().lower() for encoding in encodings] != ["chunked"]:
                raise Refused(501)
            return self.read_chunks()
        if len(lengths) != 1:
            raise Refused(411 if not lengths else 400)
        return self.read_exactly(self.number(lengths[0].strip(), 10))

    def read_chunks(self):
        body = b""
        while size := self.number(self.read_line().split(b";")[0].strip().decode("latin-1"), 16):
            body += self.read_exactly(size, len(body))
            if self.read_line() != b"":
                raise Refused(400)
        while self.read_line() != b"":
            pass
        return body

    def read_line(self):
        line = self.rfile.readline(4096)
        if not line.endswith(b"\n"):
            raise Refused(400)
        return line.rstrip(b"\r\n")

    def read_exactly(self, size, before=0):
        if size + before > LIMIT:
            raise Refused(413)
        data = self.rfile.read(size)
        if len(data) < size:
            raise Refused(400)
        return data

    @staticmethod
    def number(text, base):
        digits = "0123456789abcdef"[:base]
        if not text or len(text) > 16 or any(digit not in digits for digit in text.lower()):
            raise Refused(400)
        return int(text, base)

    def verify(self, body):
        given = ", ".join(self.headers.get_all(HEADER, [])).encode("utf-8", "surrogateescape")
        expected = [hmac.new(secret, body, hashlib.sha256).hexdigest().encode() for secret in SECRETS]
        if not any([hmac.compare_digest(given, one) for one in expected]):
            raise Refused(401)

    def read_id(self, body):
        try:
            notification_id = json.loads(body.decode("utf-8"), parse_constant=self.refuse_constant)["data"]["id"]
            notification_id.encode("utf-8")
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise Refused(400) from None
        if notification_id == "":
            raise Refused(400)
        return notification_id

    @staticmethod
    def refuse_constant(name):
        raise ValueError(f"{name} is not JSON")

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


with tempfile.TemporaryDirectory(prefix="seaworthy-python-", ignore_cleanup_errors=True) as folder:
    LEDGER = Ledger(os.environ.get("RECEIVER_DATABASE") or os.path.join(folder, "effects.db"))
    SERVER = Server(("127.0.0.1", int(os.environ.get("RECEIVER_PORT", "0"))), Handler)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=SERVER.shutdown).start())
    print(f"http://127.0.0.1:{SERVER.server_port}", flush=True)
    SERVER.serve_forever()
