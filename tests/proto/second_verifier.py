"""A second verifier of exported matches, that shares nothing with the arena.

All that it and its two modules know stands in `proto/README.md` and `arena/game/README.md`, and so it shows that these
pages are complete. `python -m tests.proto.second_verifier FILE` names what is wrong: of each line what comes first.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256, shake_256
from itertools import permutations
from math import factorial
from pathlib import Path

from tests.proto.second_form import Document, canonical, expect, read
from tests.proto.second_game import check_play, check_variant, shuffled

# Derivation


def entry_line(entry: list[str]) -> bytes:
    return ("\t".join(entry) + "\n").encode()


def entries_digest(entries: list[list[str]]) -> bytes:
    return sha256(b"".join(sorted(map(entry_line, entries)))).digest()


def block_id(match: Document) -> bytes:
    return sha256(canonical({key: match[key] for key in ("block", "limits", "lineup", "variant")}).encode()).digest()


def seed_of(secret: bytes, entries: bytes, beacon: str, block: bytes, own: str = "") -> bytes:
    """The seed of a block, or with the `own` part of a match with a remote seat that of the match."""
    origin = b"least-score/v1/match/" + secret + entries + sha256(beacon.encode()).digest() + block
    return shake_256(origin + own.encode()).digest(32)


def derived(match: Document, own: str = "") -> bytes:
    secret, block = bytes.fromhex(match["secret"]), bytes.fromhex(match["block_id"])
    return seed_of(secret, entries_digest(match["entries"]), match["beacon"], block, own)


def base_order(lineup: list[str], block: int, seed: bytes) -> list[str]:
    count = len(lineup)
    if sorted(Counter(lineup).values()) == [2, 2]:
        return lineup[::2] * 2
    if count <= 4:
        return [lineup[0], *list(permutations(lineup[1:]))[block % factorial(count - 1)]]
    return [lineup[place] for place in shuffled(count, b"least-score/v1/seats/" + seed)]


def turned(base: list[str], rotation: int) -> list[str]:
    return base[rotation:] + base[:rotation]


def is_remote(match: Document) -> bool:
    return any(seat["remote"] for seat in match["seats"])


def base_of(match: Document) -> list[str] | None:
    """The base order of the match's block; none if only the secret would tell."""
    if not is_remote(match):
        seed = bytes.fromhex(match["seed"])
    elif match["secret"] or len(match["lineup"]) <= 4:
        seed = derived(match) if match["secret"] else b""
    else:
        return None
    return base_order(match["lineup"], match["block"], seed)


def check_origin(match: Document) -> None:
    """Points 1 to 6, as far as a match by itself shows them."""
    expect(match["entries"], sorted(match["entries"], key=entry_line), "entries")
    expect(match["block_id"], block_id(match).hex(), "block_id")
    expect(match["match_id"], f"{match['block_id']}/{match['rotation']}", "match_id")
    if match["secret"]:
        expect(match["commitment"], sha256(bytes.fromhex(match["secret"])).hexdigest(), "commitment")
        own = f"/{match['rotation']}/{match['attempt']}" if is_remote(match) else ""
        expect(match["seed"], derived(match, own).hex(), "seed")
    digests = [seat["digest"] for seat in match["seats"]]
    expect(match["lineup"], sorted(digests), "lineup")
    if base := base_of(match):
        expect(digests, turned(base, match["rotation"]), "digests of the seats")
    for seat in match["seats"]:
        named = [entry[:2] for entry in match["entries"] if entry[2] == seat["digest"]]
        expect([seat["bot"], seat["version"]], named[0] if named else None, "bot and version of a seat")


# The whole


class Whole:
    """Point 10: what the lines agree on, and which of them there are."""

    def __init__(self) -> None:
        self.due: dict[tuple[str, ...], object] = {}
        self.blocks: defaultdict[str, list[int]] = defaultdict(list)
        self.sizes: dict[str, int] = {}
        self.lineups: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
        self.running = False

    def add(self, match: Document) -> None:
        base = base_of(match) or []
        self.blocks[match["block_id"]].append(match["rotation"])
        self.sizes[match["block_id"]] = len({tuple(turned(base, rotation)) for rotation in range(len(base))})
        self.lineups[tuple(match["lineup"])].add(match["block"])
        self.running = self.running or match["secret"] is None
        for key in ("tournament", "commitment", "secret", "beacon", "entries", "sandbox", "limits", "variant"):
            self.agree(match[key], key)
        remote = {seat["digest"] for seat in match["seats"] if seat["remote"]}
        self.agree(sorted(remote), "the remote bots", match["block_id"])
        for key in ("attempt",) if remote else ("attempt", "seed"):
            self.agree(match[key], key, match["block_id"])

    def agree(self, found: object, *key: str) -> None:
        expect(found, self.due.setdefault(key, found), f"{key[0]}, as another line has it,")

    def problems(self) -> Iterator[str]:
        if not self.blocks:
            yield "no line is a match"
        for block, rotations in self.blocks.items():
            if self.sizes[block] and sorted(rotations) != list(range(self.sizes[block])):
                yield f"block {block}: of {self.sizes[block]} rotations there are {sorted(rotations)}"
        for lineup, numbers in self.lineups.items():
            if max(numbers) >= len(numbers) and not self.running:
                yield f"lineup {[digest[:8] for digest in lineup]}: of its blocks there are only {sorted(numbers)}"


def problems(lines: Iterable[str | bytes]) -> list[str]:
    """The first problem of each line, and all those of the whole."""
    found, whole = [], Whole()
    for number, line in enumerate(lines, 1):
        try:
            match = read(line)
            check_variant(match["variant"], len(match["seats"]))
            whole.add(match)
            check_origin(match)
            check_play(match)
        except (ValueError, RecursionError) as problem:
            found.append(f"line {number}: {problem}")
    return found + list(whole.problems())


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tests.proto.second_verifier FILE\n")
        return 2
    try:
        found = problems(Path(arguments[0]).read_bytes().splitlines())
    except OSError as error:
        sys.stderr.write(f"{arguments[0]!a} cannot be read: {error.strerror}\n")
        return 2
    sys.stdout.writelines(f"{problem}\n" for problem in found or ["no problems"])
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
