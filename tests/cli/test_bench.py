import pytest

from tests.cli.stored import Shell


@pytest.mark.slow
def test_luck_is_measured_at_all_tables_with_both_kinds_of_orders(empty_shell: Shell) -> None:
    rows = empty_shell("bench", "luck", "--blocks", "10", "--json").json
    kinds = {(row["seats"], row["what"], row["orders"]) for row in rows}
    assert len(kinds) == len(rows) == 16
    assert {row["seats"] for row in rows} == {2, 3, 4, 6}
    for row in rows:
        assert row["blocks"] == 10
        assert all(
            row[part][of] > 0 for part in ("design_effect", "left_without_draw_luck") for of in ("points", "places")
        )
    assert not empty_shell.path.exists()
