"""Accessible names of the places of a table: the wild colours, stars, and surrounded features."""

from __future__ import annotations

from service.rulesets.pictures.drawing import Scene
from service.rulesets.wire import Json


def wild_label(scene: Scene) -> str:
    """Return the wild colours in words: that of the round, and those of all rounds."""
    words, rounds = scene.words, scene.components["rounds"]
    now = [mine["wild"] for mine in rounds if mine["round"] == scene.position["round"]]
    return words.format(
        "wild-colours",
        colour=now[0] if now else None,
        all=", ".join(words.format("colour", colour=mine["wild"]) for mine in rounds),
    )


def star_label(scene: Scene, star: Json, tiles: list[str | None]) -> str:
    """Return a star in words, space by space."""
    words, name = scene.words, star["star"]
    spaces = [
        words.format("star-space", **space, colour=colour) for space, colour in zip(star["spaces"], tiles, strict=True)
    ]
    labelled = words.format("star", star=name, colour=name, variant=scene.position["variant"])
    return words.format("place", place=labelled, content=", ".join(spaces))


def features_label(scene: Scene, closed: list[str]) -> str:
    """Return how many features of each kind are surrounded. `closed`: the kinds of the surrounded ones."""
    kinds = [feature["kind"] for feature in scene.components["features"]]
    counts = [
        scene.words.format("feature", kind=kind, count=closed.count(kind), all=kinds.count(kind))
        for kind in dict.fromkeys(kinds)
    ]
    return scene.words.format("surrounded", features=", ".join(counts))
