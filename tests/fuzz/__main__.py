"""Does every decoder refuse what it does not understand? `python -m tests.fuzz [DECODER …] --inputs 100000 --seed 1`.

    snapshot    positions as the store keeps them          draw      draws by their fields
    position    positions in wire form                     records   games that are imported
    action      actions by their fields or their number    bodies    of every operation of the API that takes one

Each input is a good one, damaged: it must be refused, with a stable code and where it is at fault, or be accepted, and
then be understood: written again, read again and played on. Nothing may fail, hang or end the process.

Prints what was tried, by ruleset or operation; exits 1 on a fault, which is told with the number of its input:
`--first NUMBER --inputs 1` tries it again (of `bodies`, which share a table, begin at the fifty before). Compiled rules
look at nothing; with NUMBA_BOUNDSCHECK=1, and AZUL_CACHE_DIR at an empty folder, they are compiled so that they do.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from tests.fuzz.decoders import DECODERS
from tests.fuzz.fuzzing import try_apart


def main(arguments: Sequence[str] | None = None) -> int:
    """0 where nothing was wrong, 1 where something was."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__, formatter_class=form)
    parser.add_argument("decoders", nargs="*", choices=[*DECODERS, []], help="all of them if none is named")
    parser.add_argument("--inputs", type=int, default=100_000, help="of each decoder")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--seed", default=None, help="any text; drawn if not given")
    given = parser.parse_args(arguments)
    seed = os.urandom(4).hex() if given.seed is None else given.seed
    results = 0
    for name in given.decoders or DECODERS:
        figures = try_apart(name, DECODERS[name], seed, range(given.first, given.first + given.inputs))
        took = f"{figures.seconds:.0f} s, {figures.slowest:.2f} s of the processor for the slowest"
        print(f"{name}, seed {seed}: {took}; {len(figures.faults)} faults", *figures.lines(), sep="\n", flush=True)
        for fault in figures.faults:
            print(fault, flush=True)
        results += len(figures.faults)
    return 1 if results else 0


if __name__ == "__main__":
    sys.exit(main())
