"""A whole program for the arena, which plays at random.

python -m workers.arena azul --players "program:python tests/workers/random_program.py" greedy

It needs nothing but Python; the protocol is told in workers/arena/programs.py. Put your strength into `choose`.
"""

import json
import random
import sys
from typing import Any


def choose(question: Any) -> Any:
    """One of the legal actions, before `question["seconds"]` are over."""
    return random.Random(question["seed"]).choice(question["actions"])


for line in sys.stdin:
    asked = json.loads(line)
    answer = {"protocol": 1} if asked["type"] == "hello" else {"id": choose(asked)["id"]}
    print(json.dumps(answer), flush=True)
