"""What can go wrong with a rating, by whose fault it is.

RatingError
├── BadResultsError    the caller's: results or totals that contradict themselves or one another
├── BadQuestionError   the caller's: a test or a question that cannot be asked
└── NoOptimumError     the data's: no finite rating explains these results, or none was reached
"""


class RatingError(Exception):
    """Anything that this package refuses to put a number on."""


class BadResultsError(RatingError, ValueError):
    """The results handed over contradict themselves: the message names the value and what was expected."""


class BadQuestionError(RatingError, ValueError):
    """A test or a question that cannot be asked: the message names what is wrong and what was expected."""


class NoOptimumError(RatingError, ArithmeticError):
    """The likelihood has no finite maximum, or the search did not arrive there; there is no number to show."""
