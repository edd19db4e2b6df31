from pathlib import Path

from arena.settings import database_url


def test_the_variable_decides_where_results_lie() -> None:
    assert database_url({"ARENA_DATABASE_URL": "sqlite:///here.db"}) == "sqlite:///here.db"


def test_without_the_variable_they_lie_in_the_users_data_folder() -> None:
    for environment in ({}, {"ARENA_DATABASE_URL": ""}):
        address = database_url(environment)
        assert address.startswith("sqlite:////")
        assert Path(address.removeprefix("sqlite:///")).name == "arena.db"
