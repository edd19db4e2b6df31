"""Reading the API as a program does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

PATH = "/api/v1"


def read(client: TestClient, address: str) -> Any:
    """The JSON at an address, in which every number is finite."""
    answer = client.get(PATH + address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return json.loads(answer.text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def whole(client: TestClient, address: str, limit: int) -> list[Any]:
    """All items of a listing, part by part."""
    first = f"{address}{'&' if '?' in address else '?'}limit={limit}"
    part = read(client, first)
    items = list(part["items"])
    while part["next"] is not None:
        assert len(part["items"]) > 0
        part = read(client, f"{first}&cursor={part['next']}")
        items += part["items"]
    return items
