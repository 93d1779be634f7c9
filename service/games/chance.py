"""Fair draws that players can verify after the game.

A game has a secret seed of 32 bytes. The game publishes its SHA-256 (the commitment) at creation, and the seed at the
end. The generator of the draw in event r is seeded with HMAC-SHA256(seed, r), with r in decimal ASCII. To verify a
game, compare the hash of the seed with the commitment and repeat the draws.
"""

from __future__ import annotations

import hashlib
import hmac

from service.rulesets.kernel import RngState, generator

SEED_BYTES = 32


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def generator_of_draw(seed: bytes, revision: int) -> RngState:
    """Return the generator of the draw in event `revision`, counted from 1."""
    return generator(hmac.digest(seed, str(revision).encode("ascii"), "sha256"))
