"""Alembic, driven from inside the program: what the schema's revisions are, and how a database gets them."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from arena.store import migrations


def upgrade(connection: Connection) -> None:
    """Bring the database behind `connection` to the newest schema, inside its transaction; an empty one gets it all."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, migrations.HEAD)


def is_known(revision: str) -> bool:
    """Whether this program has such a revision; if not, a newer program made the database."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    return config
