"""`arena tokens create|list|revoke`: who may submit bots and run tournaments in the browser and through the API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.doing import doer
from arena.cli.output import console, error_console, examples, new_table, plain, print_json
from arena.cli.places import results
from arena.rating.figures import DASH
from arena.settings import database_url
from arena.store.roles import Role

if TYPE_CHECKING:
    from arena.store.accounts import Token

Json = Annotated[bool, typer.Option("--json", help="A JSON document.")]

app = typer.Typer(help="Give owners tokens, to submit bots and run tournaments in the browser.", no_args_is_help=True)


@app.command(epilog=examples("arena tokens create Ada", "arena tokens create Grace --role organiser --json"))
def create(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Whose it is; bots that come with it are theirs.")],
    role: Annotated[
        Role, typer.Option(help="An author submits bots; an organiser also starts and stops tournaments.")
    ] = Role.AUTHOR,
    json: Json = False,
) -> None:
    """Make a token. It is shown this once and stored nowhere, so send it to its owner by a way that you trust."""
    from arena.store.accounts import Accounts
    from arena.store.opening import open_store

    with open_store(database_url(), write=True) as store:
        token, secret = Accounts(store).create(owner, role, datetime.now(UTC), doer())
    if json:
        print_json(_document(token) | {"token": secret})
        return
    error_console().print(
        plain(f"Token {token.key} of {token.owner} ({token.role}); it is shown only now:"), soft_wrap=True
    )
    typer.echo(secret)


@app.command("list", epilog=examples("arena tokens list", "arena tokens list --json"))
def list_tokens(json: Json = False) -> None:
    """List all tokens: whose they are, and when they were used last. The tokens themselves nobody can show again."""
    with results() as store:
        tokens = store.accounts.tokens()
    if json:
        print_json([_document(token) for token in tokens])
        return
    if not tokens:
        console().print("There are no tokens yet: `arena tokens create OWNER` makes one.")
        return
    table = new_table("id", "owner", "role", "created", "last used", "revoked", right=("id",))
    for token in tokens:
        moments = (_moment(at) for at in (token.created, token.used, token.revoked))
        table.add_row(str(token.key), plain(token.owner), token.role, *moments)
    console().print(table)


@app.command(epilog=examples("arena tokens revoke 3"))
def revoke(
    number: Annotated[int, typer.Argument(metavar="ID", help="Its number, as `arena tokens list` shows it.")],
    json: Json = False,
) -> None:
    """Let a token be of no use from now on, and sign out whoever signed in with it. Bots that came with it stay."""
    from arena.store.accounts import Accounts
    from arena.store.opening import open_store

    with open_store(database_url(), write=True, create=False) as store:
        token = Accounts(store).revoke(number, datetime.now(UTC), doer())
    if json:
        print_json(_document(token))
        return
    console().print(plain(f"Revoked token {token.key} of {token.owner}."), soft_wrap=True)


def _document(token: Token) -> dict[str, Any]:
    return {
        "id": token.key,
        "owner": token.owner,
        "role": token.role,
        "created": token.created.isoformat(),
        "used": token.used.isoformat() if token.used else None,
        "revoked": token.revoked.isoformat() if token.revoked else None,
    }


def _moment(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at else DASH
