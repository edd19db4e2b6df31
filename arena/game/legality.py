"""The same verdict as that of `rules.decide`, from what the seat to act knows alone: for people and tools that have no
state, and must not have one."""

from arena.game.actions import Action, Declare
from arena.game.cards import NAMES
from arena.game.discards import check_discard
from arena.game.errors import IllegalAction, IllegalReason
from arena.game.view import Observation


def check_action(seen: Observation, action: Action) -> None:
    """Check what the seat to act wants to do (rules 2 to 5); it is never refused for what the seat cannot know.

    Raises:
        IllegalAction: the action breaks a rule; `reason` is the one for which `rules.decide` would refuse it.
    """
    public = seen.public
    if isinstance(action, Declare):
        if not public.may_declare:
            raise IllegalAction(IllegalReason.DECLARE_ON_FIRST_TURN)
        return
    check_discard(_copies(seen.hand), action.discard, public.variant)
    if action.take is None:
        if not public.may_take_closed:
            raise IllegalAction(IllegalReason.CLOSED_DECK_EMPTY)
    elif action.take not in public.open:
        raise IllegalAction(IllegalReason.CARD_NOT_OPEN)


def _copies(names: bytes) -> bytes:
    """Cards that bear these names: where a name comes twice, the second is the other copy."""
    return bytes(name + NAMES * names[:place].count(name) for place, name in enumerate(names))
