"""What a number of games says: shares of wins with their uncertainty."""

from __future__ import annotations

import math


def wilson(share: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's score interval of a share seen in `count` trials (Wilson 1927); z 1.96: 95 %. (0, 1) without trials."""
    if count == 0:
        return 0.0, 1.0
    centre = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return (centre - spread) / scale, (centre + spread) / scale
