import unittest
from types import SimpleNamespace

from main import choose

from arena.sdk import Declare, Play, Variant, legal_discards, parse_card, parse_cards, total


def seen(hand, open_cards="4h", may_declare=True, may_take_closed=True):
    """What the bot sees of a turn, as far as it looks at it."""
    cards = parse_cards(hand)
    return SimpleNamespace(
        hand=cards,
        total=total(cards),
        open=parse_cards(open_cards),
        may_declare=may_declare,
        may_take_closed=may_take_closed,
        legal_discards=lambda: legal_discards(cards, Variant()),
    )


class Choosing(unittest.TestCase):
    def test_it_declares_with_five_or_less(self):
        self.assertEqual(choose(seen("As 2s 2d")), Declare())
        self.assertNotEqual(choose(seen("As 2s 3d")), Declare())
        self.assertNotEqual(choose(seen("As 2s 2d", may_declare=False)), Declare())

    def test_it_throws_the_biggest_sum(self):
        self.assertEqual(choose(seen("9c 9d Kh 2s 3s")), Play(parse_cards("9c 9d"), None))

    def test_it_takes_an_open_card_where_there_is_no_other(self):
        self.assertEqual(choose(seen("Kh", may_take_closed=False)).take, parse_card("4h"))


if __name__ == "__main__":
    unittest.main()
