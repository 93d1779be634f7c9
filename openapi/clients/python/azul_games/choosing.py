"""Asking a person in a terminal for one of many actions.

Where there are too many for a screen, the first field in which they differ is asked for, then the next: the type, the
source, the colour. So thousands of actions take a few answers, whatever the ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from azul_games.drawing import inline, words
from azul_games_client.models import LegalAction

SCREEN = 24
"""So many choices are listed at once; where there are more, any number up to the last is taken."""
PROMPT = "number, h: hint, q: quit > "


class QuitError(Exception):
    """The person has had enough, or nothing more comes in."""


def choose(actions: Sequence[LegalAction], hint: Callable[[], str]) -> LegalAction:
    """One of the actions, as asked for on standard input. `hint` is called when one is wanted. QuitError."""
    left = list(actions)
    while len(left) > SCREEN and (found := _first_difference(left)):
        name, groups = found
        print(f"{words(name)}?")
        left = list(groups.values())[_asked([f"{value}  [{len(group)}]" for value, group in groups.items()], hint)]
    return left[_asked([action.text for action in left], hint)]


def _first_difference(actions: Sequence[LegalAction]) -> tuple[str, dict[str, list[LegalAction]]] | None:
    """The first field of which some values are shared, with the actions of each value; None where none helps."""
    fields = [action.action.to_dict() for action in actions]
    fields = [{**each, "type": each["type"].rpartition(".")[2]} for each in fields]  # without the ruleset's id
    for name in dict.fromkeys(["type", *(name for each in fields for name in each)]):
        groups: dict[str, list[LegalAction]] = {}
        for action, each in zip(actions, fields, strict=True):
            groups.setdefault(inline(each.get(name)), []).append(action)
        if 1 < len(groups) < len(actions):
            return name, groups
    return None


def _asked(choices: Sequence[str], hint: Callable[[], str]) -> int:
    """The index of the one that is chosen; numbers count from 1."""
    for number, choice in enumerate(choices[:SCREEN], 1):
        print(f"{number:4}  {choice}")
    if len(choices) > SCREEN:
        print(f"      … up to {len(choices)}")
    while True:
        try:
            told = input(PROMPT).strip()
        except EOFError:
            raise QuitError from None
        if told == "q":
            raise QuitError
        if told == "h":
            print(hint())
        elif told.isdigit() and 1 <= int(told) <= len(choices):
            return int(told) - 1
        elif told:
            print(f"1 to {len(choices)}, please")
