"""Does anything get lost when everything breaks? `python -m tests.faults --seconds 60 --seed X`, or `--games 500`.

A whole service as an operator starts it, games of all rulesets with people, AIs and opponents over HTTP, rated games
of strangers, and while they play: processes are killed, Redis is killed and paused, its memory and its disk are full,
connections are cut off, requests are sent twice, and the clock of one keeper jumps. Then every game is played to its
end, and looked at:

- what was acknowledged stands in the log once, what nobody sent does not, and no revision is missing;
- strangers who met by a seek, a challenge or a competition are in that game and no other, it was counted and rated
  once, and the competition has its result;
- the log, played again by the rules, leads to what is stored, and its draws are those of the seed;
- every refusal is one that the document has, and nothing was refused, or left unanswered, without a reason;
- all processes are back.

It prints the seed, which repeats what is broken and when; how long people and AIs waited by the kind of fault in force;
and what was wrong, a line each: then it exits with 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.stack import Stack
from tests.faults.bot import bot
from tests.faults.breaking import Breaker
from tests.faults.chaos import ENVIRONMENT, Run, Wanted, scheduled
from tests.faults.journal import Journal
from tests.faults.jumped_keeper import JumpedKeeper
from tests.faults.waits import alone, longest, table


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__, formatter_class=form)
    parser.add_argument("--seconds", type=float, default=60, help="how long things break")
    parser.add_argument("--games", type=int, default=None, help="instead: until so many games have ended")
    parser.add_argument("--tables", type=int, default=6, help="games at one time")
    parser.add_argument("--seed", default=None, help="any text; drawn if not given")
    parser.add_argument("--log", type=Path, default=None, help="a folder for what the service says")
    return parser.parse_args(arguments)


def report(run: Run, violations: list[str]) -> None:
    """What happened."""
    ended, acknowledged = run.ended, sum(map(len, run.journal.acknowledged.values()))
    early = sum(game.ended_early for game in ended)
    print(f"{len(run.tables)} games, {len(ended)} ended, the last {run.played_on_s:.0f} s after the last fault")
    print(f"{early} of them were given up then, since they took too long")
    print(f"{acknowledged} requests acknowledged; {run.lost} lost, as they may be, in the moment Redis was killed")
    print(f"{len(run.meetings)} games of strangers by seeks, challenges and competitions, {run.rated} of them rated")
    print("faults:", count_line(Counter(force.kind for force in run.journal.forces)))
    refused = Counter(
        f"{one.status} {one.code}" if one.status else f"no answer: {one.more}" for one in run.journal.refusals
    )
    print("refusals:", count_line(refused), end="\n\n")
    print("whatever else was in force:", *table(run.journal), sep="\n", end="\n\n")
    print("nothing else in force:", *table(run.journal, alone), sep="\n", end="\n\n")
    print(*longest(run.journal), sep="\n", end="\n\n")
    print(*violations, sep="\n")
    print(f"{len(violations)} violations" if violations else "nothing is lost, doubled or half written")


def count_line(counted: Counter[str]) -> str:
    """Counts, in a line."""
    return ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))


def main(arguments: Sequence[str] | None = None) -> int:
    """0 where nothing was wrong, 1 where something was."""
    given, began = parsed(arguments), time.monotonic()
    seed = os.urandom(4).hex() if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        place = given.log or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        with Stack(Path(folder), **ENVIRONMENT) as stack, bot() as bot_url:
            settings = {"REDIS_URL": stack.redis_url, "DATA_DIR": str(stack.data_dir), **ENVIRONMENT}
            with JumpedKeeper(place / "keeper.log", **settings) as keeper:
                journal, wanted = Journal(), Wanted(seed, given.seconds, given.games, given.tables)
                run = Run(wanted, stack, journal, scheduled(Breaker(stack, journal, keeper)), bot_url)
                print(f"the service is there after {time.monotonic() - began:.0f} s", flush=True)
                run.go()
                print(f"all is over after {time.monotonic() - began:.0f} s", flush=True)
                violations = run.check()
        report(run, violations)
        if given.log:
            (place / "service.log").write_bytes(stack.output.read_bytes())
    print(f"{time.monotonic() - began:.0f} s in all")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
