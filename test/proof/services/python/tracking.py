"""Tracking requests, and the shipments and containers that come of them."""

import threading
import uuid

from refused import demand
from sender import now

INQUIRY = 0.03
LINES = set("MAEU SEAU SUDU MSCU CMDU ANNU COSU OOLU HLCU ONEY EGLV HDMU YMLU ZIMU PABV WHLC MATS".split())
OWNERS = {"MRKU": "MAEU", "MSKU": "MAEU", "HLXU": "HLCU", "TCNU": "CMDU"}
KINDS = {"bill_of_lading", "booking_number", "container"}
KNOWN = {("MAEU", "MAEU123456789"): ["MRKU3048875", "MSKU9070323"], ("ONEY", "ONEYRTMX01234500"): ["ONEU0123457"]}


class Tracking:
    def __init__(self, lock, announce):
        self.lock = lock
        self.announce = announce
        self.requests = []
        self.shipments = []
        self.containers = []

    def create(self, body):
        request = resource("tracking_request", {**_checked(body), "status": "pending", "failed_reason": None})
        with self.lock:
            self.requests.append(request)
        timer = threading.Timer(INQUIRY, self.conclude, (request,))
        timer.daemon = True
        timer.start()
        return request

    def conclude(self, request):
        asked = request["attributes"]
        bill = (asked["scac"], asked["request_number"])
        with self.lock:
            if bill not in KNOWN:
                asked.update(status="failed", failed_reason="the shipping line does not know that number")
                self.announce("tracking_request.failed", [request])
                return
            shipment, created = self._records(bill)
            asked["status"] = "created"
            self.announce("tracking_request.succeeded", [request, shipment])
            for container in created:
                self.announce("container.created", [container, shipment])

    def any_shipment(self):
        """A shipment that is tracked, for an event that cannot be without one. The caller holds the lock."""
        return self._records(list(KNOWN)[-1])[0]

    def _records(self, bill):
        """The shipment and those of its containers that are new."""
        scac, number = bill
        for shipment in self.shipments:
            if shipment["attributes"]["bill_of_lading_number"] == number:
                return shipment, []
        shipment = resource("shipment", {"bill_of_lading_number": number, "shipping_line_scac": scac})
        containers = [resource("container", {"number": one}) for one in KNOWN[bill]]
        self.shipments.append(shipment)
        self.containers.extend(containers)
        return shipment, containers


def inferred(body):
    number = body.get("number") if isinstance(body, dict) else None
    demand(isinstance(number, str), "number is missing")
    prefix = number[:4].upper()
    scac = prefix if prefix in LINES else OWNERS.get(prefix)
    demand(scac, "no shipping line is known for that number")
    return {"data": {"type": "inferred_number", "attributes": {"number": number, "scac": scac, "confidence": "high"}}}


def resource(kind, attributes):
    return {"id": str(uuid.uuid4()), "type": kind, "attributes": {**attributes, "created_at": now()}}


def _checked(body):
    demand(isinstance(body, dict) and isinstance(body.get("data"), dict), "data is missing")
    demand(body["data"].get("type") == "tracking_request", "data.type must be tracking_request")
    attributes = body["data"].get("attributes")
    demand(isinstance(attributes, dict), "data.attributes is missing")
    asked = {name: attributes.get(name) for name in ("request_type", "request_number", "scac")}
    demand(all(isinstance(value, str) and value for value in asked.values()), f"all of {', '.join(asked)} are required")
    demand(asked["request_type"] in KINDS, f"request_type must be one of {', '.join(sorted(KINDS))}")
    demand(asked["scac"] in LINES, "scac must be that of a shipping line")
    return asked
