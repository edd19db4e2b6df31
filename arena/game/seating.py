"""Who sits next to whom among the seats that are in: small tables, each worked out once."""

from functools import cache


@cache
def turn_order(live: tuple[int, ...], start: int, seats: int) -> tuple[int, ...]:
    """Return the live seats clockwise, beginning with the seat `start` or, when it is out, the next after it."""
    return tuple(sorted(live, key=lambda seat: (seat - start) % seats))


@cache
def neighbours(live: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Return the next live seat after each of the seats, live or not, clockwise."""
    return tuple(turn_order(live, seat + 1, seats)[0] for seat in range(seats))
