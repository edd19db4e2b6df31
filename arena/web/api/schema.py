"""The description in OpenAPI, completed by what FastAPI does not say: how failures and unchanged answers look."""

from __future__ import annotations

from typing import Any

from arena.web.api.models.common import Problem

PROBLEM = "application/problem+json"

COMPONENT = "#/components/schemas/{model}"

PROBLEM_ANSWER = "#/components/responses/Problem"

HEADERS = {
    "ETag": {"description": "Changes with the answer.", "schema": {"type": "string"}},
    "Cache-Control": {"schema": {"type": "string"}},
}

BEARER: dict[str, Any] = {"security": [{"bearer": []}]}
"""What an operation that is not for everybody adds to its own description."""

RETRY = {"Retry-After": {"description": "Seconds to wait, with 429 and 503.", "schema": {"type": "string"}}}


def refused(why: str) -> dict[str, str]:
    """A failure that an operation describes itself: it looks like all others."""
    return {"$ref": PROBLEM_ANSWER, "description": why}


def completed(described: dict[str, Any]) -> dict[str, Any]:
    """The description, with all answers of each operation."""
    components = described["components"]
    schemas = components["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    own = Problem.model_json_schema(ref_template=COMPONENT)
    schemas.update(own.pop("$defs", {}))
    schemas["Problem"] = own
    components["responses"] = {
        "Problem": {
            "description": "Why not, and what to do.",
            "headers": RETRY,
            "content": {PROBLEM: {"schema": {"$ref": COMPONENT.format(model="Problem")}}},
        },
        "Unchanged": {"description": "What you have is still the same.", "headers": HEADERS},
    }
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A token of `arena tokens create`."}
    }
    for operations in described["paths"].values():
        for operation in operations.values():
            _complete(operation)
    return described


def _complete(operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    answers.pop("422", None)
    if "security" not in operation and "200" in answers:
        answers["200"]["headers"] = HEADERS
        answers["304"] = {"$ref": "#/components/responses/Unchanged"}
    for failures in ("4XX", "5XX"):
        answers[failures] = {"$ref": PROBLEM_ANSWER}
