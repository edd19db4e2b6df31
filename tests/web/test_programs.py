from __future__ import annotations

from html import unescape

from fastapi.testclient import TestClient

from tests.web.api.reading import PATH, read


def test_every_operation_is_on_the_page_for_those_who_write_programs(client: TestClient) -> None:
    page = client.get("/programs")
    assert page.status_code == 200
    for path, operations in read(client, "/openapi.json")["paths"].items():
        for method, operation in operations.items():
            assert f"{method.upper()} {PATH}{path}" in page.text
            assert operation["description"].split("\n\n")[0] in unescape(page.text)


def test_its_example_names_this_server(client: TestClient) -> None:
    for host in ("localhost", "127.0.0.1:8000"):
        assert f"curl 'http://{host}{PATH}/rankings" in client.get("/programs", headers={"host": host}).text
