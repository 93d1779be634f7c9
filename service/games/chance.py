"""Fair draws: who knows the seed knows every draw, who does not cannot foretell one, and anybody can check later.

A game has a secret seed of 32 bytes, and tells its SHA-256 (the commitment) when it is created. The draw that is
event number r of the log comes from the generator of the rules' kernel, seeded with HMAC-SHA256(seed, r), r in
decimal ASCII. The seed is told when the game is over: hash it, compare, and draw again.
"""

from __future__ import annotations

import hashlib
import hmac

from service.rulesets.kernel import RngState, generator

SEED_BYTES = 32


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def generator_of_draw(seed: bytes, revision: int) -> RngState:
    """The generator of the draw that is event `revision` (the first event is 1)."""
    return generator(hmac.digest(seed, str(revision).encode("ascii"), "sha256"))
