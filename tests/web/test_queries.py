"""What a form leaves empty in an address."""

import pytest
from fastapi.testclient import TestClient


@pytest.mark.parametrize("address", ["/?seats=", "/matches?before=&tournament=&bots="])
def test_a_field_that_was_left_empty_asks_for_nothing(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("address", ["/?seats=1", "/?seats=x", "/matches?before=0"])
def test_a_field_out_of_its_bounds_is_told(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 422
