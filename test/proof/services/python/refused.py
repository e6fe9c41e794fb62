"""What is wrong with a call, and reading its JSON."""

import json

DEEPEST = 40


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def demand(condition, message):
    if not condition:
        raise Refused(422, message)


def read_json(body):
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise Refused(400, "the body is nested too deeply") from None
    except ValueError as error:
        raise Refused(400, f"the body is not JSON: {error}") from None
    _demand_tame(value, 0)
    return value


def _refuse_constant(name):
    raise ValueError(f"{name} is no JSON value")


def _demand_tame(value, depth):
    if depth > DEEPEST:
        raise Refused(400, "the body is nested too deeply")
    if isinstance(value, dict):
        if "__proto__" in value:
            raise Refused(400, "__proto__ is not a member of anything")
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            _demand_tame(member, depth + 1)
