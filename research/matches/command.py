"""Common parts of the command lines of matches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from research.matches.match import Match, Result
from research.matches.remote import queue
from research.matches.results import UnusableResultsError, file_name
from research.matches.running import Players, local_players, run
from service.rulesets.registry import RULESETS
from service.settings import Settings, SettingsError, cores
from workers.search.players import UnreadableParametersError

SEED = 1
INTERRUPTED = 130  # exit status of a shell after SIGINT
HOW_TO_CONTINUE = "run the same command to continue, if the results are in a file"


def add_places(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where games are played."""
    parser.add_argument("--jobs", type=int, default=cores(), help="number of processes; default: CPU cores")
    parser.add_argument(
        "--queue",
        action="store_true",
        help="play on the background workers of QUEUE_URL (or REDIS_URL)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def add_matches(parser: argparse.ArgumentParser) -> None:
    """Add the options of several matches at two seats, whose games are stored in a folder."""
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--variant", help="default: all variants, in turn")
    parser.add_argument("--deals", type=int, default=30, help="deals of each match; each is played for both seats")
    add_store(parser)


def add_store(parser: argparse.ArgumentParser) -> None:
    """Add the options of matches whose games are stored in a folder."""
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--results", type=Path, default=Path("var/arena"), metavar="FOLDER", help="folder of the results"
    )
    add_places(parser)


def play_match(options: argparse.Namespace, first: str, second: str) -> Result:
    """Play the missing games of a match. Raises UnreadableParametersError and UnusableResultsError."""
    if options.deals < 1:
        raise UnreadableParametersError("--deals: at least 1")
    variants = (options.variant,) if options.variant else RULESETS[options.ruleset].variants
    match = Match(options.ruleset, variants, 2, (first, second), options.seed)
    path = options.results / file_name(match)
    title = None if options.quiet else f"{first} against {second}"
    return run(match, options.deals, players(options), path=path, title=title)


def players(options: argparse.Namespace) -> Players:
    """Return the requested executor of games. Raises UnreadableParametersError."""
    if options.queue:
        return queue(_queue_url())
    if options.jobs < 1:
        raise UnreadableParametersError("--jobs: at least 1")
    return local_players(options.jobs)


def _queue_url() -> str:
    try:
        url = Settings.from_environment().queue_url
    except SettingsError as error:
        raise UnreadableParametersError(str(error)) from None
    if not url:
        raise UnreadableParametersError("--queue: neither QUEUE_URL nor REDIS_URL is set")
    return url


def exit_status(main: Callable[[], None], after_interrupt: str = HOW_TO_CONTINUE) -> int:
    """Run a command. Return its exit status: 2, with a message on stderr, for an impossible request."""
    try:
        main()
    except (UnreadableParametersError, UnusableResultsError, ChildProcessError, ConnectionError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"interrupted; {after_interrupt}", file=sys.stderr)
        return INTERRUPTED
    return 0


def write_text(path: Path, content: str) -> None:
    """Write a file. Raises UnusableResultsError."""
    try:
        path.write_text(content, "utf-8")
    except OSError as error:
        raise UnusableResultsError(f"{path}: {error.strerror}") from None
