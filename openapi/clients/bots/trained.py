"""A bot that plays by a trained policy: `python trained.py policy.npz http://127.0.0.1:8000 [GAME [INVITE]]`.

It asks as poll.py does. What the policy sees is computed by the rules, so it runs in a checkout of the service.
"""

import sys
from pathlib import Path
from typing import Any

import poll  # type: ignore[import-not-found]  # beside this program

from workers.envs.policy import Chooser


def main(policy: str, *where: str) -> None:
    """Play for ever."""
    chooser = Chooser(Path(policy))

    def choose(game: Any, _actions: list[Any]) -> Any:
        return {"id": str(chooser.decide(chooser.ruleset.read(game["position"])))}

    poll.choose = choose
    poll.main(*where)


if __name__ == "__main__":
    main(*sys.argv[1:])
