"""What a client may say about a webhook, checked by hand."""

import ipaddress
import re
from urllib.parse import urlsplit

from refused import demand

MOVES = """
vessel_arrived estimated.vessel_arrived vessel_discharged vessel_loaded vessel_departed estimated.vessel_departed
vessel_berthed rail_departed rail_arrived rail_loaded rail_unloaded transshipment_arrived transshipment_discharged
transshipment_loaded transshipment_departed feeder_arrived feeder_discharged feeder_loaded feeder_departed
empty_out full_in full_out empty_in arrived_at_inland_destination estimated.arrived_at_inland_destination
available not_available delivered
"""
OTHERS = """
shipment.estimated.arrival tracking_request.succeeded tracking_request.failed tracking_request.awaiting_manifest
tracking_request.tracking_stopped container.created container.updated container.pod_terminal_changed
container.pickup_lfd.changed container.pickup_lfd_line.changed container.pickup_lfd_terminal.changed
container.pickup_lfd_rail.changed container.pickup_appointment.changed document.extracted document.extraction_failed
"""
CATALOGUE = [f"container.transport.{name}" for name in MOVES.split()] + OTHERS.split()

URI = re.compile(r"https?://(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+", re.IGNORECASE)
HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
RESERVED = set(
    """host connection keep-alive proxy-connection content-type content-length content-encoding transfer-encoding
    upgrade te trailer expect x-svc-webhook-signature""".split()
)


def creation(body):
    given = _attributes(body)
    demand("url" in given and "active" in given, "url and active are required")
    return {"events": list(CATALOGUE), "headers": None, **_checked(given)}


def update(body, webhook_id):
    given = _attributes(body)
    demand(body["data"].get("id", webhook_id) == webhook_id, "the id is that of another webhook")
    changes = _checked(given)
    demand(changes, "name url, active, events or headers")
    return changes


def event(value):
    demand(isinstance(value, str) and value in CATALOGUE, "that is no event of the catalogue")
    return value


def url(value):
    demand(isinstance(value, str) and URI.fullmatch(value), "url must be a URI with https")
    try:
        parts = urlsplit(value)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        demand(False, f"url must be a URI with https: {error}")
    demand(host and port != 0, "url must name a host")
    demand(parts.scheme == "https" or _is_loopback(host), "url must be a URI with https")
    return value


def _attributes(body):
    demand(isinstance(body, dict) and isinstance(body.get("data"), dict), "data is missing")
    demand(body["data"].get("type") == "webhook", "data.type must be webhook")
    attributes = body["data"].get("attributes")
    demand(isinstance(attributes, dict), "data.attributes is missing")
    return attributes


def _checked(given):
    return {member: check(given[member]) for member, check in CHECKS.items() if member in given}


def _active(value):
    demand(isinstance(value, bool), "active must be true or false")
    return value


def _events(value):
    demand(isinstance(value, list) and value, "events must be a list of at least one")
    names = [event(item) for item in value]
    demand(len(set(names)) == len(names), "events must not repeat one")
    return names


def _headers(value):
    demand(isinstance(value, list) or value is None, "headers must be a list")
    return value and [_header(item) for item in value]


def _header(item):
    demand(isinstance(item, dict), "a header has a name and a value")
    name, text = item.get("name"), item.get("value")
    demand(isinstance(name, str) and HEADER_NAME.fullmatch(name), "that is no name of a header")
    demand(isinstance(text, str) and HEADER_VALUE.fullmatch(text), "the value of a header is one line of ASCII")
    demand(name.lower() not in RESERVED, f"{name} is set by the service")
    return {"name": name, "value": text}


def _is_loopback(host):
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


CHECKS = {"url": url, "active": _active, "events": _events, "headers": _headers}
