"""Sentences of actions in few characters: sentences that begin with the same words share them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

OVERHEAD = 3
"""Characters of a group beside its words."""
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Group:
    """Actions whose sentences begin with the same words. `rests`: the id and the other words of each."""

    beginning: str
    rests: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        ends = "; ".join(f"{number}={rest}" for number, rest in self.rests)
        return f"{self.beginning} … {ends}" if self.beginning else ends


def groups(actions: Sequence[tuple[str, str]]) -> list[Group]:
    """Split actions, given by id and sentence, into the groups with the fewest characters. Keeps the order."""
    sentences = [text.removesuffix(".").split(" ") for _, text in actions]
    shared = [_count_shared(one, other) for one, other in pairwise(sentences)]
    best = [(0, 0, 0)]  # for the first n actions: characters, start of the last group, its shared words
    for end in range(1, len(sentences) + 1):
        options, common = [(best[end - 1][0] + OVERHEAD, end - 1, 0)], len(sentences[end - 1])
        for start in range(end - 2, -1, -1):
            if not (common := min(common, shared[start])):
                break
            saved = len(" ".join(sentences[start][:common])) * (end - start - 1)
            options.append((best[start][0] + OVERHEAD - saved, start, common))
        best.append(min(options))
    found, end = [], len(sentences)
    while end:
        _, start, common = best[end]
        rests = ((actions[n][0], " ".join(sentences[n][common:])) for n in range(start, end))
        found.append(Group(" ".join(sentences[end - 1][:common]), tuple(rests)))
        end = start
    return found[::-1]


def _count_shared(one: list[str], other: list[str]) -> int:
    """Return the number of words with which both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def has_words(sentence: str, wanted: Sequence[str]) -> bool:
    """Return whether a sentence contains all these words or phrases. Case and punctuation do not matter."""
    text = _plain(sentence)
    return all(_plain(words) in text for words in wanted)


def _plain(text: str) -> str:
    return f" {' '.join(WORD.findall(text.casefold()))} "
