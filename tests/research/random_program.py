"""A complete program for matches, which plays at random.

python -m research.matches azul --players "program:python tests/research/random_program.py" greedy

It needs only Python. research/matches/programs.py describes the protocol. Put your strategy into `choose`.
"""

import json
import random
import sys
from typing import Any


def choose(question: Any) -> Any:
    """Return one of the legal actions within `question["seconds"]`."""
    return random.Random(question["seed"]).choice(question["actions"])


for line in sys.stdin:
    question = json.loads(line)
    answer = {"protocol": 1} if question["type"] == "hello" else {"id": choose(question)["id"]}
    print(json.dumps(answer), flush=True)
