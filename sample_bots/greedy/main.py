"""The biggest sum out, a cheap open card in, and an end as soon as the hand is small."""

from arena.sdk import VALUE, Action, Declare, Observation, Play, serve, total

DECLARE_AT = 5
CHEAP = 4


def choose(observation: Observation) -> Action:
    if observation.may_declare and observation.total <= DECLARE_AT:
        return Declare()
    discard = max(observation.legal_discards(), key=total)
    cheapest = min(observation.open, key=VALUE.__getitem__, default=None)
    if observation.may_take_closed and (cheapest is None or VALUE[cheapest] > CHEAP):
        return Play(discard, None)
    return Play(discard, cheapest)


if __name__ == "__main__":
    serve(choose, name="greedy", version="1.0")
