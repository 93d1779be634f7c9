"""Play on a service while its parts fail: `python -m tests.faults --seconds 60 --seed X`, or `--games 500`.

Starts a whole service as an operator does, with games of all rulesets between people, AIs and HTTP bots, and rated
games of strangers. Hostile strangers take whatever the service lets them (`tests.faults.hostile`). At the same time
processes are killed; Redis is killed and paused, and its memory and disk are full; connections are cut; requests are
sent twice; and the clock of a keeper jumps. Then every game is played to its end and checked:
- every acknowledged request is in the log once, the log contains nothing else, and no revision is missing;
- strangers who met by a seek, a challenge or a competition are in that game and no other, it was counted and rated
  once, and the competition has its result;
- replaying the log with the rules gives the stored state, and its draws are those of the seed;
- the document contains every refusal, and every refusal or missing response has a reason;
- all processes run again.

Prints the seed, which repeats the faults and their times; the waits of people and AIs by fault; and each violation in a
line. Exits with 1 if there are any.
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
from tests.faults.chaos import ENVIRONMENT, Run, Wanted, schedule_faults
from tests.faults.hostile import hanging
from tests.faults.journal import Journal
from tests.faults.jumped_keeper import JumpedKeeper
from tests.faults.waits import longest, only_cause, table


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the parse command line."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__, formatter_class=form)
    parser.add_argument("--seconds", type=float, default=60, help="duration of the faults")
    parser.add_argument("--games", type=int, default=None, help="instead: until this many games have ended")
    parser.add_argument("--tables", type=int, default=6, help="games at a time")
    parser.add_argument("--hostile", type=int, default=2, help="hostile strangers, at most 3")
    parser.add_argument("--seed", default=None, help="any text; drawn if not given")
    parser.add_argument("--log", type=Path, default=None, help="a folder for the output of the service")
    return parser.parse_args(arguments)


def report(run: Run, violations: list[str]) -> None:
    """Print the results."""
    ended, acknowledged = run.finished_tables, sum(map(len, run.journal.acknowledged.values()))
    early = sum(game.ended_early for game in ended)
    print(f"{len(run.tables)} games, {len(ended)} ended, the last {run.played_on_s:.0f} s after the last fault")
    print(f"{early} of them were given up then because they took too long")
    print(f"{acknowledged} requests acknowledged; {run.lost} of them lost when Redis was killed, which is allowed")
    print(f"{len(run.meetings)} games of strangers by seeks, challenges and competitions, {run.rated} of them rated")
    print(f"{sum(one.attacks for one in run.hostile)} attacks of {len(run.hostile)} hostile strangers")
    print("faults:", count_line(Counter(force.kind for force in run.journal.forces)))
    refused = Counter(
        f"{one.status} {one.code}" if one.status else f"no answer: {one.more}" for one in run.journal.refusals
    )
    print("refusals:", count_line(refused), end="\n\n")
    print("by every fault in force:", *table(run.journal), sep="\n", end="\n\n")
    print("by the only fault in force:", *table(run.journal, only_cause), sep="\n", end="\n\n")
    print(*longest(run.journal), sep="\n", end="\n\n")
    print(*violations, sep="\n")
    print(f"{len(violations)} violations" if violations else "no request is lost, doubled or half written")


def count_line(counted: Counter[str]) -> str:
    """Return counts in a line."""
    return ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 without violations, else 1."""
    options, began = parse(arguments), time.monotonic()
    seed = os.urandom(4).hex() if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        place = options.log or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        with Stack(Path(folder), **ENVIRONMENT) as stack, bot() as bot_url, hanging() as hanging_url:
            settings = {"REDIS_URL": stack.redis_url, "DATA_DIR": str(stack.data_dir), **ENVIRONMENT}
            with JumpedKeeper(place / "keeper.log", **settings) as keeper:
                journal = Journal()
                wanted = Wanted(seed, options.seconds, options.games, options.tables, options.hostile)
                faults = schedule_faults(Breaker(stack, journal, keeper))
                run = Run(wanted, stack, journal, faults, bot_url, hanging_url)
                print(f"the service is ready after {time.monotonic() - began:.0f} s", flush=True)
                run.go()
                print(f"all games are over after {time.monotonic() - began:.0f} s", flush=True)
                violations = run.check()
        report(run, violations)
        if options.log:
            (place / "service.log").write_bytes(stack.output.read_bytes())
    print(f"{time.monotonic() - began:.0f} s in all")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
