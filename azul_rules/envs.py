"""Environments for Gymnasium and PettingZoo: import this module, then `gymnasium.make("azul_games/Azul-v0")`.

They need the extra `envs`.
"""

from research.envs.aec import GameEnv
from research.envs.single_agent import SeatEnv, SeatVectorEnv
from research.envs.vector import VectorEnv

__all__ = ["GameEnv", "SeatEnv", "SeatVectorEnv", "VectorEnv"]
