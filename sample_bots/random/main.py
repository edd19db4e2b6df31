"""Any legal action, each as likely as the next; the draw comes from the turn's own seed, so a match can be repeated."""

from arena.sdk import Action, Declare, Observation, Play, serve


def choose(observation: Observation) -> Action:
    takes = [*observation.open, *[None] * observation.may_take_closed]
    actions: list[Action] = [Play(discard, take) for discard in observation.legal_discards() for take in takes]
    if observation.may_declare:
        actions.append(Declare())
    return observation.rng().choice(actions)


if __name__ == "__main__":
    serve(choose, name="random", version="1.0")
