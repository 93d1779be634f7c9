"""Colours as people with colour blindness see them, and how different they look.

Matrices: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency"
(2009), severity 1.0, for linear RGB. Distances are Euclidean in CIE L*a*b* (D65), where about 2 is just noticeable.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""sRGB from 0 to 1."""

DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = np.array([0.95047, 1, 1.08883])


def linear(colour: Colour) -> NDArray[np.float64]:
    """Return the linear RGB of a colour."""
    rgb = np.array(colour)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return L*a*b* of linear RGB."""
    x, y, z = np.cbrt(TO_XYZ @ rgb.clip(0.001, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def closest(colours: Mapping[str, Colour], deficiency: str) -> tuple[float, str, str]:
    """Return the smallest distance between two of the colours, and their names."""
    seen = {name: lab(np.array(DEFICIENCIES[deficiency]) @ linear(colour)) for name, colour in colours.items()}
    pairs = itertools.combinations(seen, 2)
    return min((float(np.linalg.norm(seen[one] - seen[other])), one, other) for one, other in pairs)
