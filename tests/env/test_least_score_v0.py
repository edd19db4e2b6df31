"""The environment: what PettingZoo asks of one, and that what it plays and rewards is the game."""

from __future__ import annotations

import importlib.util
import pickle
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from arena.analysis.policies import Greedy
from arena.analysis.selfplay import match_seeds, play_matches
from arena.env import least_score_v0
from arena.env.least_score_v0 import Reward
from arena.game.cards import card_names
from arena.game.chance import SeededChance
from arena.game.errors import IllegalAction, VariantError
from arena.game.rules import new_match
from arena.game.variant import Finish, Variant

ONE_DEAL = Variant(threshold=0, deal_cap=1)
SEED = bytes(range(32))
SETTINGS: dict[str, tuple[int, Variant, Reward]] = {
    "two seats": (2, Variant(), "points"),
    "knock-outs": (4, Variant(threshold=25), "place"),
    "fixed deals": (4, Variant(threshold=0, deal_cap=2), "points"),
    "first out": (8, Variant(finish=Finish.FIRST_OUT, mixed_pairs=True), "place"),
    "two decks": (10, Variant(decks=2), "points"),
    "small hands": (9, Variant(decks=2, hand_size=2, lap_cap=2, upcard=False), "place"),
    "large hands": (3, Variant(hand_size=8), "points"),
}
Choose = Callable[[Any, str], int]


@contextmanager
def pettingzoo_has_no_complaint() -> Iterator[None]:
    """Its warnings are errors, but for the two that it has for every observation with an action mask."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be gymnasium.spaces.box")
        yield


@pytest.mark.parametrize("setting", SETTINGS)
def test_it_passes_the_api_test_of_pettingzoo(setting: str) -> None:
    with pettingzoo_has_no_complaint():
        api_test(least_score_v0.env(*SETTINGS[setting]), num_cycles=15)


def test_it_passes_the_api_test_of_pettingzoo_without_wrappers() -> None:
    with pettingzoo_has_no_complaint():
        api_test(least_score_v0.raw_env(), num_cycles=60)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_it_passes_the_api_test_of_pettingzoo_for_a_long_time(setting: str) -> None:
    with pettingzoo_has_no_complaint():
        for _ in range(5):
            api_test(least_score_v0.env(*SETTINGS[setting]), num_cycles=1000)


@pytest.mark.parametrize("setting", SETTINGS)
def test_it_passes_the_seed_test_of_pettingzoo(setting: str) -> None:
    seed_test(partial(least_score_v0.env, *SETTINGS[setting]), num_cycles=30)


def test_it_passes_the_render_test_of_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(least_score_v0.env, 3))
    assert "seat_2" in capsys.readouterr().out


def played(env: Any, choose: Choose) -> dict[str, list[float]]:
    """Play a match that has begun to its end; what each agent was rewarded with, in order."""
    rewards: dict[str, list[float]] = defaultdict(list)
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last()
        if reward or termination:
            rewards[agent].append(reward)
        env.step(None if termination or truncation else choose(env, agent))
    return rewards


def anything(env: Any, agent: str) -> int:
    return int(env.action_space(agent).sample(env.observe(agent)["action_mask"]))


def greedily(env: Any, agent: str) -> int:
    view = env.view(agent)
    return int(env.actions.encode(Greedy()(view), view))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_match_of_policies_is_the_match_of_its_seed(seats: int) -> None:
    (seed,) = match_seeds("here", 1)
    env = least_score_v0.env(seats)
    env.reset(options={"match_seed": seed})
    rewards = played(env, greedily)
    points = play_matches([Greedy()] * seats, Variant(), [seed]).points[0]
    assert [sum(rewards[f"seat_{seat}"]) for seat in range(seats)] == [-points[seat] for seat in range(seats)]


def test_the_reward_of_a_deal_comes_when_it_is_over() -> None:
    env = least_score_v0.env(2, ONE_DEAL)
    env.reset(options={"match_seed": SEED})
    while env.agents and not any(env.terminations.values()):
        assert not any(env.rewards.values())
        env.last()
        env.step(greedily(env, env.agent_selection))
    points = play_matches([Greedy(), Greedy()], ONE_DEAL, [SEED]).points[0]
    assert env.rewards == {"seat_0": -points[0], "seat_1": -points[1]}


@pytest.mark.parametrize("variant", [Variant(), Variant(threshold=20, finish=Finish.FIRST_OUT), ONE_DEAL])
def test_the_reward_of_a_place_is_between_1_and_minus_1_and_the_sum_is_nothing(variant: Variant) -> None:
    for seed in match_seeds("places", 5):
        env = least_score_v0.env(4, variant, "place")
        env.reset(options={"match_seed": seed})
        rewards = played(env, greedily)
        (places,) = play_matches([Greedy()] * 4, variant, [seed]).places
        expected = [float(np.sign(places - own).sum()) / 3 for own in places]
        assert [rewards[f"seat_{seat}"] for seat in range(4)] == [[reward] for reward in expected]
        assert sum(expected) == pytest.approx(0.0)


def test_a_seat_that_is_knocked_out_leaves_and_the_others_play_on() -> None:
    env = least_score_v0.env(4)
    env.reset(options={"match_seed": SEED})
    numbers = []
    for agent in env.agent_iter():
        _, _, termination, _, _ = env.last()
        numbers.append(len(env.agents))
        env.step(None if termination else greedily(env, agent))
    assert numbers == sorted(numbers, reverse=True)
    assert set(numbers) == {1, 2, 3, 4}
    assert numbers.count(3) > 1


def test_only_the_seat_to_act_has_actions() -> None:
    env = least_score_v0.env(3)
    env.reset(seed=1)
    assert [bool(env.observe(agent)["action_mask"].any()) for agent in env.agents] == [True, False, False]


@pytest.mark.parametrize(("reward", "paid"), [("points", -70.0), ("place", -1.0)])
def test_an_illegal_action_ends_the_match_and_its_seat_pays(reward: Reward, paid: float) -> None:
    env = least_score_v0.env(3, None, reward)
    env.reset(seed=1)
    env.step(env.actions.declare)
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert [env._cumulative_rewards[agent] for agent in env.possible_agents] == [paid, 0, 0]


def test_without_wrappers_an_illegal_action_is_refused_and_nothing_changes() -> None:
    env = least_score_v0.raw_env(3)
    env.reset(seed=1)
    before = env.view("seat_0")
    with pytest.raises(IllegalAction, match="may not declare on its first turn"):
        env.step(env.actions.declare)
    with pytest.raises(ValueError, match="None is for an agent that has terminated: it is the turn of seat_0"):
        env.step(None)
    assert env.view("seat_0") == before


def test_a_seed_begins_a_series_of_different_matches_that_can_be_repeated() -> None:
    env = least_score_v0.env(2)
    series = []
    for seed in (5, None, 5, None):
        env.reset(seed=seed)
        series.append(env.view("seat_0").hand)
    assert series[:2] == series[2:]
    assert series[0] != series[1]


def test_a_match_seed_gives_its_cards() -> None:
    env = least_score_v0.env(4)
    env.reset(options={"match_seed": SEED})
    state = new_match(Variant(), 4, SeededChance(SEED, 1))
    assert [env.view(agent).hand for agent in env.agents] == [bytes(sorted(hand or b"")) for hand in state.hands]


def test_the_table_is_shown_with_all_hands() -> None:
    env = least_score_v0.env(2, ONE_DEAL, render_mode="ansi")
    env.reset(options={"match_seed": SEED})
    lines = env.render().splitlines()
    assert lines[0] == "deal 0, lap 0, 41 cards closed, open: 9h"
    assert lines[1] == f"> seat_0     0 points  {card_names(env.view('seat_0').hand)} = 26"
    played(env, greedily)
    first, *seats = env.render().splitlines()
    assert first == "match over after 1 deal: DEAL_CAP"
    assert [line.split()[:3:2] for line in seats] == [["seat_0", "2"], ["seat_1", "1"]]


def test_it_can_be_sent_to_another_process() -> None:
    env = pickle.loads(pickle.dumps(least_score_v0.raw_env(3, ONE_DEAL, "place")))
    env.reset(seed=1)
    assert len(played(env, anything)) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"reward": "money"}, "reward is one of points, place: there is no 'money'"),
        ({"render_mode": "rgb_array"}, "render_mode is None or one of human, ansi: there is no 'rgb_array'"),
        ({"variant": Variant(hand_size=26, decks=2), "seats": 2}, "hands of 1 to 25 cards: hand_size is 26"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        least_score_v0.env(**arguments)


def test_a_table_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(VariantError, match="seats must be 2 to 8"):
        least_score_v0.env(11)


@pytest.mark.parametrize("match_seed", [b"", b"short", "0" * 32])
def test_a_match_seed_of_another_length_is_refused(match_seed: object) -> None:
    with pytest.raises(ValueError, match="match_seed must be 32 bytes"):
        least_score_v0.env(2).reset(options={"match_seed": match_seed})


def test_without_pettingzoo_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    spec = importlib.util.find_spec("arena.env.least_score_v0")
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(ImportError, match="pip install pettingzoo"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
