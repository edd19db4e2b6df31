"""A token is good until it is revoked, and nothing that is stored could be used in its place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.store.accounts import MOST_SESSIONS, SESSION_TIME, Accounts
from arena.store.audit import MOST_SUBJECT, AuditLog, Doer
from arena.store.engine import Store
from arena.store.errors import AccountError
from arena.store.roles import Deed, Role
from arena.store.submissions import Submission, Submissions

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
DOER = Doer("root", "command line")


@pytest.fixture
def accounts(store: Store) -> Accounts:
    return Accounts(store)


def given(accounts: Accounts, owner: str = "ann", role: Role = Role.AUTHOR) -> str:
    """The secret of a new token."""
    return accounts.create(owner, role, NOW, DOER)[1]


def session(accounts: Accounts, secret: str, at: datetime = NOW) -> str:
    begun = accounts.sign_in(secret, at, "192.0.2.1")
    assert begun is not None
    return begun


def deeds(store: Store) -> list[tuple[str, Deed, str]]:
    """Who did what to what, the earliest first."""
    return [(one.owner, one.deed, one.subject) for one in AuditLog(store).page(limit=100)][::-1]


def test_a_token_tells_whose_it_is(accounts: Accounts) -> None:
    made, secret = accounts.create("ann", Role.ORGANISER, NOW, DOER)
    assert accounts.bearer(secret) == made
    assert (made.owner, made.role) == ("ann", Role.ORGANISER)
    assert len({given(accounts) for _ in range(5)}) == 5


@pytest.mark.parametrize("tried", ["", "lsa_", "nonsense", "\ud800", "x" * 10_000])
def test_anything_else_is_nobody(accounts: Accounts, tried: str) -> None:
    given(accounts)
    assert accounts.bearer(tried) is None
    assert accounts.sign_in(tried, NOW, "192.0.2.1") is None
    assert accounts.signed_in(tried, NOW) is None


def test_no_secret_is_stored(store: Store, accounts: Accounts, path: Path) -> None:
    secret = given(accounts)
    begun = session(accounts, secret)
    store.close()
    stored = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"ann" in stored
    for told in (secret, secret.removeprefix("lsa_"), begun):
        assert told.encode() not in stored


def test_a_revoked_token_is_of_no_use_and_neither_is_what_was_begun_with_it(accounts: Accounts) -> None:
    kept, lost = given(accounts), given(accounts)
    stays, ends = session(accounts, kept), session(accounts, lost)
    revoked = accounts.revoke(2, NOW, DOER)
    assert (revoked.key, revoked.revoked) == (2, NOW)
    assert accounts.bearer(lost) is None
    assert [accounts.is_in_force(key) for key in (1, 2, 3)] == [True, False, False]
    assert accounts.sign_in(lost, NOW, "192.0.2.1") is None
    assert accounts.signed_in(ends, NOW) is None
    assert accounts.signed_in(stays, NOW) is not None
    assert [token.revoked for token in accounts.tokens()] == [None, NOW]


@pytest.mark.parametrize(("number", "said"), [(7, "there is no token 7"), (1, "token 1 was revoked already")])
def test_a_token_is_revoked_once(accounts: Accounts, number: int, said: str) -> None:
    given(accounts)
    accounts.revoke(1, NOW, DOER)
    with pytest.raises(AccountError, match=said):
        accounts.revoke(number, NOW, DOER)


def test_a_session_ends_by_signing_out_and_after_its_time(accounts: Accounts) -> None:
    secret = given(accounts)
    one, other = session(accounts, secret), session(accounts, secret)
    accounts.sign_out(one, NOW, DOER)
    assert accounts.signed_in(one, NOW) is None
    assert accounts.signed_in(other, NOW + SESSION_TIME - timedelta(seconds=1)) is not None
    assert accounts.signed_in(other, NOW + SESSION_TIME) is None


def test_the_oldest_of_many_sessions_makes_room(accounts: Accounts) -> None:
    secret = given(accounts)
    begun = [session(accounts, secret, NOW + timedelta(seconds=second)) for second in range(MOST_SESSIONS + 1)]
    assert [accounts.signed_in(one, NOW) is not None for one in begun] == [False] + [True] * MOST_SESSIONS


def test_the_last_use_is_known_to_the_minute(accounts: Accounts) -> None:
    secret = given(accounts)
    for seconds in (0, 59, 60):
        token = accounts.bearer(secret)
        assert token is not None
        accounts.note_use(token, NOW + timedelta(seconds=seconds))
    assert accounts.tokens()[0].used == NOW + timedelta(seconds=60)


@pytest.mark.parametrize("owner", ["", " ann", "-rf", "../ann", "a\nb", "an\N{RIGHT-TO-LEFT OVERRIDE}n", "x" * 41])
def test_some_names_nobody_may_have(accounts: Accounts, owner: str) -> None:
    with pytest.raises(AccountError, match="'owner'"):
        given(accounts, owner)
    assert accounts.tokens() == ()


def test_nobody_gets_a_name_that_looks_like_that_of_another_owner(store: Store, accounts: Accounts) -> None:
    Submissions(store).add(Submission("fox", "1.0", bytes(32), "bob", "", NOW), {}, b"")
    given(accounts)
    for owner in ("Ann", "B0b"):
        with pytest.raises(AccountError, match="looks like"):
            given(accounts, owner)
    assert given(accounts, "bob")


def test_who_did_what_is_written_down_without_any_secret(store: Store, accounts: Accounts) -> None:
    begun = session(accounts, given(accounts))
    accounts.sign_in("a guess", NOW, "192.0.2.1")
    accounts.sign_out(begun, NOW, Doer("ann", "192.0.2.1", 1))
    accounts.sign_out(begun, NOW, Doer("ann", "192.0.2.1", 1))
    accounts.revoke(1, NOW, DOER)
    assert deeds(store) == [
        ("root", Deed.CREATED, "token 1 of ann (author)"),
        ("ann", Deed.SIGNED_IN, "token 1"),
        ("", Deed.SIGN_IN_REFUSED, ""),
        ("ann", Deed.SIGNED_OUT, ""),
        ("root", Deed.REVOKED, "token 1 of ann (author)"),
    ]


def test_the_log_is_read_backwards_in_pages(store: Store) -> None:
    log = AuditLog(store)
    for number in range(5):
        log.add(NOW, Doer("ann" if number % 2 else "bob", ""), Deed.RETIRED, str(number))
    first = log.page(limit=2)
    assert [one.subject for one in first] == ["4", "3"]
    assert [one.subject for one in log.page(before=first[-1].key, limit=9)] == ["2", "1", "0"]
    assert [one.subject for one in log.page(owner="ann", limit=9)] == ["3", "1"]


def test_a_long_subject_is_cut(store: Store) -> None:
    AuditLog(store).add(NOW, DOER, Deed.SUBMISSION_REFUSED, "x" * 10_000)
    assert len(AuditLog(store).page(limit=1)[0].subject) == MOST_SUBJECT
