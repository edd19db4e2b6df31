"""`arena rules show|legal`: the rules page, and which discards a hand allows."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

import typer

from arena.cli.cards import cards_text
from arena.cli.errors import Misuse
from arena.cli.output import console, examples, new_table, print_json
from arena.game.cards import card_names, parse_cards, total
from arena.game.discards import check_discard, legal_discards
from arena.game.variant import Variant

app = typer.Typer(help="The rules of Least Score.", no_args_is_help=True)


@app.command(epilog=examples("arena rules show", "arena rules show --json"))
def show(
    json: Annotated[bool, typer.Option("--json", help="The fields of the standard variant as JSON.")] = False,
) -> None:
    """Show the rules page; as JSON the values of the standard variant."""
    if json:
        print_json(Variant().as_dict())
        return
    from rich.markdown import Markdown

    page = files("arena.game").joinpath("README.md").read_text(encoding="utf-8")
    console().print(Markdown(page))


@app.command(epilog=examples('arena rules legal "7s 7h 4d"', 'arena rules legal "7s 7h Kd Kc" --mixed-pairs --json'))
def legal(
    hand: Annotated[str, typer.Argument(help="The cards of the hand, for example '7s 7h 4d'.", show_default=False)],
    decks: Annotated[int, typer.Option(min=1, max=2, help="How many decks are played with.")] = 1,
    mixed_pairs: Annotated[bool, typer.Option("--mixed-pairs", help="Allow two pairs of different ranks.")] = False,
    json: Annotated[bool, typer.Option("--json", help="A JSON list.")] = False,
) -> None:
    """List the legal discards of a hand (rule 3): kind, cards and their sum."""
    variant = Variant(decks=decks, mixed_pairs=mixed_pairs)
    cards = _hand(hand, decks)
    found = [(check_discard(cards, discard, variant).value, discard) for discard in legal_discards(cards, variant)]
    if json:
        print_json([{"kind": kind, "cards": card_names(cards).split(), "sum": total(cards)} for kind, cards in found])
        return
    table = new_table("kind", "cards", "sum", right=["sum"])
    for kind, discard in found:
        table.add_row(kind.lower().replace("_", " "), cards_text(discard), str(total(discard)))
    console().print(table)


def _hand(text: str, decks: int) -> bytes:
    """The actual cards of a hand given by names; Misuse when no such hand can be held."""
    try:
        names = parse_cards(text)
    except ValueError as error:
        raise Misuse(str(error)) from None
    if not names:
        raise Misuse("the hand is empty: name its cards, for example '7s 7h 4d'")
    hand: list[int] = []
    for name in names:
        copy = names[: len(hand)].count(name)
        if copy == decks:
            remedy = "name it once, or play with --decks 2" if decks == 1 else "name it twice at most"
            raise Misuse(f"{card_names(bytes([name]))} stands in the hand {names.count(name)} times: {remedy}")
        hand.append(name + 52 * copy)
    return bytes(hand)
