"""The formats that there are, by name: a new one is a file beside this one and a line in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from arena.tournament.formats.ab import AB
from arena.tournament.formats.base import Format
from arena.tournament.formats.gauntlet import GAUNTLET
from arena.tournament.formats.informed import INFORMED
from arena.tournament.formats.knockout import KNOCKOUT
from arena.tournament.formats.round_robin import ROUND_ROBIN
from arena.tournament.formats.swiss import SWISS

FORMATS: Mapping[str, Format] = MappingProxyType(
    {one.name: one for one in (ROUND_ROBIN, GAUNTLET, SWISS, KNOCKOUT, AB, INFORMED)}
)
