"""A bot that plays a trained policy: `python trained_bot.py policy.npz http://127.0.0.1:8000 [GAME [INVITE]]`.

It polls the service like poll.py. The rules compute the input of the policy, so it needs a checkout of the service.
In games of other rulesets it plays random actions.
"""

import sys
from pathlib import Path
from typing import Any

import poll  # type: ignore[import-not-found]  # beside this program
from research.envs.policy import Chooser


def main(policy: str, url: str, game: str | None = None, invite: str | None = None) -> None:
    """Play until the process is stopped."""
    chooser = Chooser(Path(policy))

    def decide(position: Any, seat: int, actions: list[Any]) -> Any:
        if position["ruleset"] != chooser.ruleset.id:
            return poll.choose(position, seat, actions)
        return {"id": str(chooser.decide(chooser.ruleset.read(position)))}

    poll.main(url, game, invite, decide)


if __name__ == "__main__":
    main(*sys.argv[1:])
