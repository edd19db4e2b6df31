"""The game as PettingZoo wants it: seats act in turn (AEC), and each sees what it may know and its legal actions.

`env` makes it with the usual wrappers, `raw_env` without; the names are PettingZoo's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arena.env.actions import action_numbers
from arena.env.observations import ObservationNumbers, most_points_of_deal
from arena.game.cards import card_names, fold, total
from arena.game.chance import SeededChance
from arena.game.events import DealEnded, Ending, Events
from arena.game.rules import decide, evolve, new_match
from arena.game.scoring import places
from arena.game.state import State
from arena.game.variant import Variant
from arena.game.view import Observation, observe

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("the training environment needs PettingZoo: pip install pettingzoo") from error

Reward = Literal["points", "place"]
"""What is rewarded: minus the points of each deal, or the place in the end."""

SEED_BYTES = 32


def env(
    seats: int = 4,
    variant: Variant | None = None,
    reward: Reward = "points",
    render_mode: str | None = None,
) -> AECEnv[str, dict[str, NDArray[Any]], int]:
    """Return the environment as it is to be used: an illegal action ends the match, and its seat alone pays.

    It pays as much as the worst deal can cost, or the last place. The arguments and errors are those of `raw_env`.
    """
    raw = raw_env(seats, variant, reward, render_mode)
    illegal = -1.0 if reward == "place" else -float(most_points_of_deal(raw.variant))
    bounded = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=illegal))
    return wrappers.OrderEnforcingWrapper(bounded)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - PettingZoo calls it so, and has no types
    """A match, its seats being the agents `seat_0`, `seat_1`, …; a seat that is knocked out has terminated.

    An observation is a mapping of `observation` (`ObservationNumbers`) and `action_mask` (`ActionNumbers.mask`, all 0
    when it is another's turn). The reward `points` is minus the points of a deal for every seat when the deal is over;
    `place` is given once, when a seat's match is over: 1 for the first, -1 for the last, level seats share.

    Raises:
        VariantError: so many seats cannot play by this variant.
        ValueError: there is no such reward or render mode, or hands are too large to number the actions.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - so in PettingZoo
        "name": "least_score_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        seats: int = 4,
        variant: Variant | None = None,
        reward: Reward = "points",
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, seats, variant, reward, render_mode)
        super().__init__()
        if reward not in get_args(Reward):
            raise ValueError(f"reward is one of {', '.join(get_args(Reward))}: there is no {reward!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"render_mode is None or one of {modes}: there is no {render_mode!r}")
        self.variant, self.render_mode, self._reward = variant or Variant(), render_mode, reward
        self.observations = ObservationNumbers(self.variant, seats)
        self.actions = action_numbers(self.variant.hand_size)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.actions.count) for agent in self.possible_agents}
        self._random = seeding.np_random()[0]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match, with new cards each time; a seed begins a repeatable series of matches.

        The option `match_seed`, 32 bytes, gives the cards of a certain match, such as one that was played already.

        Raises:
            ValueError: the match seed is not 32 bytes.
        """
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        match_seed = (options or {}).get("match_seed")
        if match_seed is None:
            match_seed = self._random.bytes(SEED_BYTES)
        elif not isinstance(match_seed, bytes) or len(match_seed) != SEED_BYTES:
            raise ValueError(f"match_seed must be {SEED_BYTES} bytes, not {match_seed!r}")
        chance = SeededChance(match_seed, self.variant.decks)
        self._state = new_match(self.variant, len(self.possible_agents), chance)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._state.seat]

    def view(self, agent: str) -> Observation:
        """Return all that an agent may know, as the rules tell it: what a policy of `arena.analysis` is asked with."""
        return observe(self._state, self.possible_agents.index(agent))

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return all that an agent may know in numbers, and its legal actions."""
        seen = self.view(agent)
        acts = seen.seat == self._state.seat
        mask = self.actions.mask(seen) if acts else np.zeros(self.actions.count, dtype=np.int8)
        return {"observation": self.observations.vector(seen), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Act for the agent whose turn it is; None for one that has terminated.

        Raises:
            IllegalAction: the action breaks a rule; nothing has changed.
            ValueError: no action has this number.
        """
        agent, state = self.agent_selection, self._state
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"None is for an agent that has terminated: it is the turn of {agent}")
        events = decide(state, self.actions.decode(action, self.view(agent)))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        evolve(state, events)
        self._settle(events)
        if state.outcome is None:
            self.agent_selection = self.possible_agents[state.seat]
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the table as text with all hands open (`ansi`), or print it (`human`)."""
        if self.render_mode is None:
            return None
        text = "\n".join(_lines(self._state, self.possible_agents)) + "\n"
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _space(self) -> spaces.Dict:
        high = self.observations.high
        seen = spaces.Box(np.zeros_like(high), high, dtype=np.float32)
        return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8)})

    def _settle(self, events: Events) -> None:
        """Reward for what these events ended, and terminate the agents whose match is over."""
        state = self._state
        for seat, agent in enumerate(self.possible_agents):
            if agent in self.agents and (state.outcome is not None or state.hands[seat] is None):
                self.terminations[agent] = True
                if self._reward == "place":
                    self.rewards[agent] = _share(seat, state)
        scored = [event.points for event in events if isinstance(event, DealEnded) and self._reward == "points"]
        for points in scored:
            live = {seat: added for seat, added in enumerate(points) if added is not None}
            self.rewards.update({self.possible_agents[seat]: -float(added) for seat, added in live.items()})


def _share(seat: int, state: State) -> float:
    """1 for a seat that finished ahead of all others, -1 for one behind all; those that are still in are ahead."""
    if state.outcome is not None:
        final = state.outcome.places
    else:
        final = places(state.points, state.knocked_out, state.forfeited, Ending.LAST_STANDING)
    ahead = sum((final[seat] < other) - (final[seat] > other) for other in final)
    return ahead / (len(final) - 1)


def _lines(state: State, names: Sequence[str]) -> Iterator[str]:
    """The table with all hands open."""
    if state.outcome is not None:
        deals = len(state.past_deals)
        yield f"match over after {deals} deal{'s' * (deals != 1)}: {state.outcome.ending.value}"
        for name, place, points in zip(names, state.outcome.places, state.outcome.points, strict=True):
            yield f"  {name}  place {place}  {points:>4} points"
        return
    open_cards = card_names(fold(state.open)) or "none"
    yield f"deal {state.deal}, lap {state.lap}, {state.closed_count} cards closed, open: {open_cards}"
    for seat, (name, hand) in enumerate(zip(names, state.hands, strict=True)):
        holds = "out" if hand is None else f"{card_names(bytes(sorted(fold(hand))))} = {total(hand)}"
        yield f"{'>' if seat == state.seat else ' '} {name}  {state.points[seat]:>4} points  {holds}"
