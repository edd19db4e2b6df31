import numpy as np
import pytest

from arena.rating.counts import MatchResult
from arena.rating.errors import BadQuestionError
from arena.rating.knowledge import Knowledge, learn
from arena.rating.questions import LEAST_BLOCKS, Answer, Kind, Question, answer, parse_question
from arena.rating.results import Block, Results


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("leader at 95%", Question(Kind.TOP, 1)),
        ("Leader", Question(Kind.TOP, 1)),
        ("top-3 separated at 95%", Question(Kind.TOP, 3)),
        ("TOP 12 Separated AT 99.5 %", Question(Kind.TOP, 12, confidence=0.995)),
        ("top-2 in order at 90%", Question(Kind.ORDER, 2, confidence=0.9)),
        ("pair Greedy random@1.0 at 95%", Question(Kind.PAIR, names=("Greedy", "random@1.0"))),
        ("pair \"my bot\" 'at 95%' at 80%", Question(Kind.PAIR, names=("my bot", "at 95%"), confidence=0.8)),
        ("  newcomer   x  ", Question(Kind.NEWCOMER, names=("x",))),
    ],
)
def test_questions_are_read_in_any_case(text: str, question: Question) -> None:
    read = parse_question(text)
    assert (read.kind, read.places, read.names) == (question.kind, question.places, question.names)
    assert read.confidence == pytest.approx(question.confidence)


@pytest.mark.parametrize(
    "text", ["", "who wins?", "top-0 separated", "top-3", "pair a", "pair a b c", "newcomer", "leader at 95", "at 95%"]
)
def test_what_is_no_question_is_refused_with_those_that_are(text: str) -> None:
    with pytest.raises(BadQuestionError, match='no question that can be asked: ask "leader", "top-3 separated"'):
        parse_question(text)


@pytest.mark.parametrize("text", ["leader at 50%", "leader at 0%", "leader at 100 %"])
def test_a_confidence_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadQuestionError, match="not between 50 % and 100 %"):
        parse_question(text)


def duels(blocks: int, strengths: dict[str, float], bots: str = "") -> Knowledge[str]:
    """Every two meet in so many blocks of two matches; the stronger wins as often as its strength says."""
    luck = np.random.default_rng(7)
    names = sorted(strengths)
    played = []
    for one in names:
        for other in names:
            if one < other:
                chance = 1 / (1 + np.exp(strengths[other] - strengths[one]))
                for number in range(blocks):
                    matches = tuple(
                        MatchResult(
                            pair, (1, 2) if (luck.random() < chance) == (pair[0] == one) else (2, 1), (False,) * 2
                        )
                        for pair in ((one, other), (other, one))
                    )
                    played.append(Block(f"{one}{other}{number:04}", matches))
    return learn(Results.from_blocks(played, bots))


CLEAR = {"A": 3.0, "B": 1.5, "C": 0.0, "D": -1.5}


def pairs(found: Answer) -> set[str]:
    return {"ABCD"[one] + "ABCD"[other] for one, other in zip(found.better, found.worse, strict=True)}


@pytest.mark.parametrize(
    ("text", "named", "compared"),
    [
        ("leader", [], {"AB", "AC", "AD"}),
        ("top-2 separated", [], {"AC", "AD", "BC", "BD"}),
        ("top-2 in order", [], {"AB", "AC", "AD", "BC", "BD"}),
        ("pair D B", [3, 1], {"BD"}),
        ("newcomer C", [2], {"AC", "BC", "CD"}),
    ],
)
def test_a_question_is_its_comparisons_and_answered_when_all_are_sure(
    text: str, named: list[int], compared: set[str]
) -> None:
    found = answer(parse_question(text), duels(60, CLEAR), named)
    assert pairs(found) == compared
    assert found.complete


def test_equal_bots_are_not_told_apart() -> None:
    found = answer(parse_question("leader"), duels(60, CLEAR | {"B": 3.0}), [])
    assert found.told_apart.tolist() == [False, True, True]
    assert not found.complete


def test_nothing_is_answered_before_enough_blocks() -> None:
    few = LEAST_BLOCKS // 3 - 1
    assert not answer(parse_question("pair A D"), duels(few, CLEAR), [0, 3]).complete
    assert answer(parse_question("pair A D"), duels(few + 1, CLEAR), [0, 3]).complete


def test_higher_confidence_asks_for_more() -> None:
    knowledge = duels(40, {"A": 0.5, "B": 0.0, "C": -0.5})
    sure = [answer(Question(Kind.TOP, 1, confidence=level), knowledge, []).complete for level in (0.6, 0.999999)]
    assert sure == [True, False]


def test_bots_that_are_out_are_not_compared() -> None:
    assert pairs(answer(parse_question("leader"), duels(60, CLEAR), [], {0})) == {"BC", "BD"}


def test_a_bot_that_met_nobody_cannot_be_told_apart() -> None:
    knowledge = duels(60, {"A": 3.0, "B": 0.0}, "ABC")
    assert answer(parse_question("pair A B"), knowledge, [0, 1]).complete
    assert not answer(parse_question("leader"), knowledge, []).complete


def test_a_bot_that_won_all_is_judged_by_the_naive_error() -> None:
    knowledge = duels(30, {"A": 50.0, "B": 0.0})
    one, other = np.array([0]), np.array([1])
    naive = knowledge.spread.naive
    assert knowledge.variance(one, other)[0] == pytest.approx(naive[0, 0] + naive[1, 1] - 2 * naive[0, 1])
