"""Whatever an operation is asked, it answers as its description says, and never fails by a mistake of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis import BaseSchema, Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from arena.web.api.app import ROUTERS
from arena.web.app import create_app
from arena.web.site import Settings
from tests.web.api.reading import PATH, read
from tests.web.conftest import CUP

EXAMPLES = 50

LABELS = [
    f"{method} {route.path}"
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute)
    for method in route.methods or ()
]


@pytest.fixture(scope="module")
def described(made_up: Path) -> Iterator[BaseSchema]:
    """The description of an API that never finds that it was asked too often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.web.site.API_REQUESTS", 10**9)
        app = create_app(Settings(f"sqlite:///{made_up}", ("localhost", "testserver")))
        yield schemathesis.openapi.from_asgi(f"{PATH}/openapi.json", app)


@pytest.fixture(scope="module")
def known(made_up: Path) -> Mapping[str, object]:
    """What parameters may be so that something is found."""
    with TestClient(create_app(Settings(f"sqlite:///{made_up}")), base_url="http://localhost") as client:
        match = read(client, f"/matches?tournament={CUP.id}")["items"][0]
    return {
        "tournament": CUP.id,
        "bot": CUP.entries[0].name,
        "block": match["block_id"],
        "rotation": match["rotation"],
        "submission": "none",
    }


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.slow
def test_every_operation_keeps_to_its_description(
    described: BaseSchema, known: Mapping[str, object], label: str, mode: GenerationMode
) -> None:
    operation = described.find_operation_by_label(label)
    assert operation is not None

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def keeps_to_it(case: Case[Any]) -> None:
        if mode is GenerationMode.POSITIVE and case.query:
            case.query.pop("cursor", None)  # any text may be one, and next to none is
        case.call_and_validate()
        if case.path_parameters:
            case.path_parameters = {name: known[name] for name in case.path_parameters}
            # What was wrong may have been there, so that only a cursor, which any text may be, is left to be refused.
            case.call_and_validate(excluded_checks=[negative_data_rejection, positive_data_acceptance])

    keeps_to_it()
