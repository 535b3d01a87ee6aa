"""Words that are put together the same way wherever people read them."""


def counted(number: int, one: str, many: str = "") -> str:
    """So many of something: `1 card`, `2 cards`; `many` where it is no `s` more."""
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"
