"""Tables that the training environment is tried at: variants that can be played, among them tight ones."""

from hypothesis import strategies as st

from arena.game.variant import Variant
from tests.game.test_properties import tables as all_tables


def tables() -> st.SearchStrategy[tuple[Variant, int]]:
    """Variants whose actions are numbered, with a number of seats."""
    return all_tables().filter(lambda table: table[0].hand_size <= 8)
