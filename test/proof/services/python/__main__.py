"""A tracking service on Python's standard library: threads, all state in memory, lists in pages, linked or not."""

import json
import re
import secrets
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pages
import webhook_input
from refused import Refused, demand, read_json
from sender import Sender, now
from tracking import Tracking, inferred

LIMIT = 1024 * 1024
DRAINED = 64 * 1024 * 1024
RESOURCE, PLAIN = "application/vnd.api+json", "application/json"
PAGE = 30


class Service:
    """Each operation takes the call and returns status, media type and value."""

    def __init__(self, backoff=(40,), timeout=400):
        self.token = secrets.token_urlsafe(24)
        self.lock = threading.RLock()
        self.webhooks = {}
        self.sender = Sender(backoff, timeout)
        self.tracking = Tracking(self.lock, self.announce)

    def announce(self, event, included):
        with self.lock:
            for webhook in self.webhooks.values():
                if webhook["active"] and event in webhook["events"]:
                    self.sender.notify(webhook, event, included)

    def emit(self, call):
        body = call.json()
        event = webhook_input.event(body.get("event") if isinstance(body, dict) else None)
        with self.lock:
            self.announce(event, [self.tracking.any_shipment()])
        return 202, PLAIN, {"raised": event}

    def create_webhook(self, call):
        accepted = call.headers.get("Accept") or "*/*"
        if "json" not in accepted and "*/*" not in accepted and "application/*" not in accepted:
            raise Refused(406, "webhooks are made in JSON only")
        assigned = {"id": str(uuid.uuid4()), "secret": uuid.uuid4().hex, "created_at": now()}
        webhook = {**assigned, **webhook_input.creation(call.json())}
        with self.lock:
            self.webhooks[webhook["id"]] = webhook
        return 201, PLAIN, {"data": shown(webhook)}

    def read_webhook(self, call):
        return 200, RESOURCE, {"data": shown(self.found(call))}

    def update_webhook(self, call):
        webhook = self.found(call)
        changes = webhook_input.update(call.json(), webhook["id"])
        with self.lock:
            webhook.update(changes)
        return 200, RESOURCE, {"data": shown(webhook)}

    def delete_webhook(self, call):
        webhook = self.found(call)
        with self.lock:
            self.webhooks.pop(webhook["id"], None)
            webhook["deleted"] = True
        return 204, None, None

    def found(self, call):
        webhook = self.webhooks.get(call.target)
        if webhook is None:
            raise Refused(404, "there is no such webhook")
        return webhook

    def trigger(self, call):
        body = call.json()
        demand(isinstance(body, dict), "url and event are missing")
        url, event = webhook_input.url(body.get("url")), webhook_input.event(body.get("event"))
        secret = body.get("secret")
        if "secret" in body:
            demand(isinstance(secret, str) and secret, "secret must be a text")
            demand(not re.search("[\ud800-\udfff]", secret), "secret must be Unicode")
        self.sender.sample(url, event, secret)
        return 202, None, None

    def sender_addresses(self, call):
        addresses = [{"id": "ipv4", "type": "webhook_ip", "attributes": {"cidr": "127.0.0.0/8"}}]
        return call.page(addresses)

    def list_webhooks(self, call):
        return call.page([shown(webhook) for webhook in list(self.webhooks.values())], pages.linked)

    def list_notifications(self, call):
        return call.page(self.sender.notifications)

    def create_tracking_request(self, call):
        return 201, RESOURCE, {"data": self.tracking.create(call.json())}

    def infer_number(self, call):
        return 200, RESOURCE, inferred(call.json())

    def list_tracking_requests(self, call):
        return call.page(self.tracking.requests)

    def list_shipments(self, call):
        return call.page(self.tracking.shipments)

    def list_containers(self, call):
        return call.page(self.tracking.containers)


def shown(webhook):
    attributes = {name: webhook[name] for name in ("url", "active", "events", "secret", "headers", "created_at")}
    return {"id": webhook["id"], "type": "webhook", "attributes": attributes}


ROUTES = [
    (re.compile("/v2/webhooks"), {"POST": Service.create_webhook, "GET": Service.list_webhooks}),
    (re.compile("/v2/webhooks/trigger"), {"POST": Service.trigger}),
    (re.compile("/v2/webhooks/ips"), {"GET": Service.sender_addresses}),
    (
        re.compile("/v2/webhooks/([0-9a-f-]{36})"),
        {"GET": Service.read_webhook, "PATCH": Service.update_webhook, "DELETE": Service.delete_webhook},
    ),
    (re.compile("/v2/webhook_notifications"), {"GET": Service.list_notifications}),
    (
        re.compile("/v2/tracking_requests"),
        {"POST": Service.create_tracking_request, "GET": Service.list_tracking_requests},
    ),
    (re.compile("/v2/tracking_requests/infer_number"), {"POST": Service.infer_number}),
    (re.compile("/v2/shipments"), {"GET": Service.list_shipments}),
    (re.compile("/v2/containers"), {"GET": Service.list_containers}),
]


class Call:
    def __init__(self, headers, query, body, target):
        self.headers, self.query, self.body, self.target = headers, query, body, target

    def json(self):
        media_type = self.headers.get("Content-Type", "").split(";")[0].strip().lower()
        if media_type not in (RESOURCE, PLAIN):
            raise Refused(415, f"send {RESOURCE} or {PLAIN}")
        return read_json(self.body)

    def page(self, items, make=pages.plain):
        return 200, RESOURCE, make(items, self.number("page[number]", 1), self.number("page[size]", PAGE))

    def number(self, name, default):
        text = self.query.get(name, [str(default)])[-1]
        demand(re.fullmatch("[1-9][0-9]{0,8}", text, re.ASCII), f"{name} must be a number from 1")
        return int(text)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # What has no version is answered like HTTP/1.0, with a status line.
    default_request_version = "HTTP/1.0"
    timeout = 60
    wbufsize = -1
    disable_nagle_algorithm = True

    def __getattr__(self, name):
        """Whatever the method, one function looks after it."""
        if name.startswith("do_"):
            return self.serve
        raise AttributeError(name)

    def handle_expect_100(self):
        """The client waits for this line, so it must not stay in the buffer."""
        super().handle_expect_100()
        self.wfile.flush()
        return True

    def serve(self):
        try:
            body = self.read_body()
            self.answer(*self.carry_out(body))
        except Refused as refusal:
            self.answer(refusal.status, PLAIN, {"error": str(refusal)})

    def carry_out(self, body):
        path, _, query = self.path.partition("?")
        if (self.command, path) == ("POST", "/emit"):
            return SERVICE.emit(Call(self.headers, {}, body, None))
        self.authenticate()
        if len(body) > LIMIT:
            raise Refused(413, f"at most {LIMIT} bytes are taken")
        for pattern, operations in ROUTES:
            if match := pattern.fullmatch(path):
                if self.command not in operations:
                    raise Refused(405, f"only {', '.join(operations)} can be asked here")
                call = Call(self.headers, parse_qs(query), body, match[1] if pattern.groups else None)
                return operations[self.command](SERVICE, call)
        raise Refused(404, "there is nothing here")

    def authenticate(self):
        given = self.headers.get_all("Authorization", [])
        scheme, _, key = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        is_known = secrets.compare_digest(key.encode("utf-8", "surrogateescape"), SERVICE.token.encode())
        if scheme.lower() != "token" or not is_known:
            raise Refused(401, "Authorization: Token <API_KEY> is missing or wrong")

    def read_body(self):
        encodings = self.headers.get_all("Transfer-Encoding", [])
        lengths = self.headers.get_all("Content-Length", ["0"] if not encodings else [])
        if not encodings and len(lengths) == 1:
            return self.read_exactly(self.size(lengths[0].strip(), 10))
        if lengths or [encoding.strip().lower() for encoding in encodings] != ["chunked"]:
            raise self.lost("the length of the body is not clear")
        return self.read_chunks()

    def read_chunks(self):
        body = b""
        while size := self.size(self.read_line().split(b";")[0].strip().decode("latin-1"), 16):
            body += self.read_exactly(size, len(body))
            if self.read_line() != b"":
                raise self.lost("a chunk is longer than announced")
        while self.read_line() != b"":
            pass
        return body

    def read_line(self):
        line = self.rfile.readline(4096)
        if not line.endswith(b"\n"):
            raise self.lost("the body breaks off")
        return line.rstrip(b"\r\n")

    def read_exactly(self, size, before=0):
        if size + before > DRAINED:
            raise self.lost("the body is far too large")
        data = self.rfile.read(size)
        if len(data) < size:
            raise self.lost("the body breaks off")
        return data

    def size(self, text, base):
        digits = "0123456789abcdef"[:base]
        if not text or len(text) > 16 or any(digit not in digits for digit in text.lower()):
            raise self.lost("that is no length")
        return int(text, base)

    def lost(self, message):
        """Where the next request begins is not known any more."""
        self.close_connection = True
        return Refused(400, message)

    def send_error(self, code, message=None, explain=None):
        """What http.server itself refuses: a request line, a version or headers that it cannot read."""
        self.close_connection = True
        self.answer(code if code < 500 else 400, PLAIN, {"error": message or "that is no request"})

    def answer(self, status, media_type, value):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if media_type is not None:
            self.send_header("Content-Type", media_type)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if getattr(self, "command", None) != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


threading.stack_size(512 * 1024)
SERVICE = Service(**json.loads(sys.argv[1]))
SERVER = Server(("127.0.0.1", 0), Handler)
ORIGIN = f"http://127.0.0.1:{SERVER.server_port}"
PLACES = {"url": f"{ORIGIN}/v2", "emit": f"{ORIGIN}/emit", "token": SERVICE.token}
NUMBERS = {"trackable": "MAEU:MAEU123456789", "untrackable": "MAEU:MAEU000000000"}
print(json.dumps({**PLACES, **NUMBERS}), flush=True)
threading.Thread(target=SERVER.serve_forever, daemon=True).start()
sys.stdin.read()
