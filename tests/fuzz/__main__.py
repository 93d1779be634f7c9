"""Send damaged input to decoders: `python -m tests.fuzz [DECODER …] --minutes 10 --seed 1`.

    snapshot    stored positions                  draw      draws by their fields
    position    positions as JSON                  records   imported games
    action      actions by fields or number        bodies    of every operation of the API with a body

Each input is a damaged good one. A decoder must reject it with a stable code and the place of the fault, or accept and
understand it: write it, read it back and play on. Nothing may fail, hang or end the process.

One decoder runs on each core. Prints the numbers of inputs by ruleset or operation. Exits with 1 on a fault, which is
printed with the number of its input. `--first NUMBER --inputs 1` repeats it (`bodies` share a table: begin at the
multiple of fifty before). Compiled rules check no bounds, unless they are compiled with NUMBA_BOUNDSCHECK=1 and
AZUL_CACHE_DIR is an empty folder.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.fuzz.decoders import DECODERS
from tests.fuzz.fuzzing import Figures, try_apart


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 without faults, else 1."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__, formatter_class=form)
    parser.add_argument("decoders", nargs="*", choices=[*DECODERS, []], help="all of them if none is named")
    parser.add_argument("--minutes", type=float, default=2.0, help="processor time of each decoder")
    parser.add_argument("--inputs", type=int, default=10**9, help="of each decoder, at most")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--seed", default=None, help="any text; drawn if not given")
    options = parser.parse_args(arguments)
    seed = os.urandom(4).hex() if options.seed is None else options.seed
    names = options.decoders or list(DECODERS)
    numbers = range(options.first, options.first + options.inputs)

    def run(name: str) -> Figures:
        figures = try_apart(name, DECODERS[name], seed, numbers, 60 * options.minutes)
        took = f"{figures.seconds:.0f} s of the processor, {figures.slowest:.2f} s for the slowest"
        print(f"{name}, seed {seed}: {took}; {len(figures.faults)} faults", *figures.lines(), sep="\n", flush=True)
        return figures

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for figures in pool.map(run, names) for fault in figures.faults]
    print(*faults, sep="\n", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
