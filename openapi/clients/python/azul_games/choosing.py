"""Let a person in a terminal choose one of many actions.

If there are too many for a screen, the person first chooses the value of a field in which the actions differ: the type,
the source, the colour. A few answers are enough for thousands of actions, for any ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from azul_games.drawing import inline, words
from azul_games_client.models import LegalAction

SCREEN = 24
"""Maximum number of listed choices. Unlisted numbers are accepted, too."""
PROMPT = "number, h: hint, q: quit > "


class QuitError(Exception):
    """The person quits, or the input ends."""


def choose(actions: Sequence[LegalAction], hint: Callable[[], str]) -> LegalAction:
    """Return the action chosen on standard input. `hint` returns a hint. Raise QuitError if the person quits."""
    left = list(actions)
    while len(left) > SCREEN and (found := _first_difference(left)):
        name, groups = found
        print(f"{words(name)}?")
        left = list(groups.values())[_ask([f"{value}  [{len(group)}]" for value, group in groups.items()], hint)]
    return left[_ask([action.text for action in left], hint)]


def _first_difference(actions: Sequence[LegalAction]) -> tuple[str, dict[str, list[LegalAction]]] | None:
    """Return the first field that divides the actions into groups, and the groups by value, or None."""
    fields = [action.action.to_dict() for action in actions]
    fields = [{**each, "type": each["type"].rpartition(".")[2]} for each in fields]  # without the ruleset's id
    for name in dict.fromkeys(["type", *(name for each in fields for name in each)]):
        groups: dict[str, list[LegalAction]] = {}
        for action, each in zip(actions, fields, strict=True):
            groups.setdefault(inline(each.get(name)), []).append(action)
        if 1 < len(groups) < len(actions):
            return name, groups
    return None


def _ask(choices: Sequence[str], hint: Callable[[], str]) -> int:
    """Return the index of the choice. The displayed numbers count from 1."""
    for number, choice in enumerate(choices[:SCREEN], 1):
        print(f"{number:4}  {choice}")
    if len(choices) > SCREEN:
        print(f"      … up to {len(choices)}")
    while True:
        try:
            answer = input(PROMPT).strip()
        except EOFError:
            raise QuitError from None
        if answer == "q":
            raise QuitError
        if answer == "h":
            print(hint())
        elif answer.isdigit() and 1 <= int(answer) <= len(choices):
            return int(answer) - 1
        elif answer:
            print(f"1 to {len(choices)}, please")
