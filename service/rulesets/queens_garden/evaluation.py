"""What a Queen's Garden position is worth to each seat: the points it may expect to have at the end."""
# ruff: noqa
# mypy: ignore-errors

from __future__ import annotations

from typing import NamedTuple, Any

import numpy as np

from service.rulesets.kernel import OVER, Floats, Ints, Record, helper
from service.rulesets.queens_garden.components import (
    NEIGHBOURS,
    RING_OF_AREA,
    ROUNDS,
    SHOWN_COLOUR,
    SHOWN_PATTERN,
    GROUP_BONUS,
    POPCOUNT,
    TILES_ON_TOP,
)
from service.rulesets.queens_garden.state import FACE_UP, FREE, bits, one, place_of, rule, stack_size, PLACES
from service.rulesets.queens_garden.garden import occupied
from service.rulesets.queens_garden.components import FIRST_PAVILION, ELEMENT_SPACES, JOKERS_OF
from service.rulesets.queens_garden.scoring import pavilions, value_left

STEPS = 8
MOMENTS = ROUNDS * STEPS + 1
HALF = 4096
# union of neighbours by chunk of 12 bits
AROUND = np.zeros((4, 4096), np.int64)
for _chunk in range(4):
    for _m in range(1, 4096):
        _low = (_m & -_m).bit_length() - 1
        AROUND[_chunk, _m] = AROUND[_chunk, _m & (_m - 1)] | NEIGHBOURS[12 * _chunk + _low]
AROUND = AROUND.reshape(-1)
VALUE_OF = np.array([sum(k + 1 for k in range(6) if m >> k & 1) for m in range(64)], np.int64)
COLUMN = sum(1 << 6 * c for c in range(6))
RING_ALL = RING_OF_AREA.copy()


class Weights(NamedTuple):
    piece: float = 1.6  # points of a piece without plan early
    piece_time: float = 0.1
    use: float = 0.6  # tau of q
    sets: float = 0.08
    dup: float = 0.3
    joker: float = 0.8
    one: float = 0.6  # chance that single becomes group
    one_time: float = 1.0
    two: float = 0.85
    two_time: float = 0.5
    later: float = 0.5  # factor where only free areas adjoin
    five: float = 2.0
    four: float = 0.5
    grow: float = 0.5
    plan: float = 0.96
    filling: float = 0.8
    element: float = 0.6  # decay per missing
    no_board: float = 0.7
    space: float = 4.0
    space_need: float = 3.0
    full: float = 0.05
    marker: float = 1.0
    expansion: float = 2.0  # additional gain of placing expansion


class Tables(NamedTuple):
    left: Any  # [variant, first round 0..4, hexagon]
    left_colour: Any
    left_pattern: Any
    chance: Any  # [moment, size 0..6] of value
    extra: Any  # [variant, moment, size]
    used: Any  # [moment]
    piece: Any  # [moment, pattern] residual
    element: Any  # [moment, missing open, missing closed]
    space: Any  # [moment, n]
    weights: Any


def tables(w: Weights) -> Tables:
    lc = np.zeros((5, 6))
    lp = np.zeros((2, 5, 6))
    for r in range(4):
        lc[r] = SHOWN_COLOUR[r:].sum(0)
        lp[:, r] = SHOWN_PATTERN[:, r:].sum(1)
    left = lc[None, :, :, None] + lp[:, :, None, :]
    T = np.arange(MOMENTS) / STEPS
    q = 1 - np.exp(-T / w.use)
    chance = np.zeros((MOMENTS, 8))
    extra = np.zeros((2, MOMENTS, 8))
    grown = T + 0.12
    chance[:, 1] = w.one * (1 - np.exp(-grown / w.one_time))
    chance[:, 2] = w.two * (1 - np.exp(-grown / w.two_time))
    chance[:, 3:] = 1
    chance[0, 1:3] = 0
    qq = 1 - np.exp(-grown / 1.0)
    qq[0] = 0
    for v in range(2):
        for s in range(3, 7):
            extra[v, :, s] = GROUP_BONUS[v, s]
        extra[v, :, 5] += w.five * qq
        extra[v, :, 4] += w.four * qq
        extra[v, :, 3:6] += w.grow * qq[:, None]
    piece = q[:, None] * (w.piece + w.piece_time * T[:, None]) - (1 - q[:, None]) * np.arange(1, 7)
    used = q.copy()
    kappa = 1 + w.joker * q
    element = np.zeros((MOMENTS, 7, 7))
    for a in range(7):
        for b in range(7 - a):
            if a + b:
                element[:, a, b] = (w.element**a) * ((w.element * w.no_board) ** b) * kappa * np.minimum(1, T + 0.1)
    element[0] = 0
    n = np.arange(49)
    space = w.space * T[:, None] ** 0.7 * (1 - np.exp(-n / w.space_need))
    return Tables(left.reshape(2, 5, 36).copy(), lc, lp, chance, extra, used, piece, element, space, np.array(w))


W_JOKER, W_SETS, W_DUP, W_LATER, W_PLAN, W_FILL, W_FULL, W_MARKER, W_EXP = (
    Weights._fields.index(x)
    for x in ("joker", "sets", "dup", "later", "plan", "filling", "full", "marker", "expansion")
)


@helper
def around(mask):
    return (
        AROUND[mask & 4095]
        | AROUND[4096 + (mask >> 12 & 4095)]
        | AROUND[8192 + (mask >> 24 & 4095)]
        | AROUND[12288 + (mask >> 36)]
    )


@helper
def find_groups(board, free_ring, m, variant, t, present, near, first):
    """components by line; returns points"""
    n = 0
    points = 0.0
    openn = board.open_spaces
    for k in range(12):
        first[k] = n
        rest = board.colours[k] if k < 6 else board.patterns[k - 6]
        while rest:
            group = rest & -rest
            edge = around(group)
            while True:
                found = edge & rest & ~group
                if found == 0:
                    break
                group |= found
                edge |= around(found)
            rest &= ~group
            row = 0
            if k < 6:
                for o in range(6):
                    row |= (1 << o) * ((group & board.patterns[o]) != 0)
            else:
                for o in range(6):
                    row |= (1 << o) * ((group & board.colours[o]) != 0)
            present[n] = row
            near[n] = edge
            n += 1
            size = POPCOUNT[row]
            value = VALUE_OF[row] if k < 6 else (k - 5) * size
            c = t.chance[m, size]
            e = t.extra[variant, m, size]
            if edge & openn == 0:
                f = t.weights[W_LATER] if edge & free_ring else 0.0
                if size < 3:
                    c *= f
                b = GROUP_BONUS[variant, size]
                e = b + (e - b) * f
            points += c * value + e
    first[12] = n
    return points


@helper
def joining(k, other, v, m, variant, t, present, near, first, where):
    """best gain by joining a group of line k within where; (gain, spaces)"""
    best = 0.0
    spaces = np.int64(0)
    base = v * t.chance[m, 1]
    for g in range(first[k], first[k + 1]):
        row = present[g]
        if row >> other & 1 or near[g] & where == 0:
            continue
        size = POPCOUNT[row]
        value = VALUE_OF[row] if k < 6 else v * size
        gain = (
            t.chance[m, size + 1] * (value + v)
            - t.chance[m, size] * value
            + t.extra[variant, m, size + 1]
            - t.extra[variant, m, size]
        )
        if gain > best:
            best = gain
            spaces = near[g] & where
    return best, spaces


@helper
def plan(board, variant, m, rounds, r, placing, t, present, near, first, free_ring, hexes, gains, own):
    avail = board.held | board.expansions
    # residual of everything
    points = 0.0
    kappa = 1.0 + t.weights[W_JOKER] * t.used[m]
    jokers = np.int64(board.jokers)
    total = board.tile_count + bits(board.expansions)
    points += kappa * jokers
    if total == 0:
        return points
    rest = avail
    n = 0
    mp = m if m > 0 else 1
    value = 0
    while rest:
        h = place_of(rest)
        rest &= rest - 1
        colour = h // 6
        pattern = h % 6
        points += t.piece[m, pattern]
        hexes[n] = h
        n += 1
    distinct = n
    if total > distinct:
        for h in range(36):
            extra = board.tiles[h] - 1 + (board.expansions >> h & 1)
            if extra > 0 and board.tiles[h] > 0:
                points += extra * (t.piece[m, h % 6] - t.weights[W_DUP] * t.used[m])
    q = t.used[m]
    s = 0
    for k in range(6):
        a = POPCOUNT[avail >> (6 * k) & 63]
        b = bits(avail & (COLUMN << k))
        s += a * (a - 1) + b * (b - 1)
    points += t.weights[W_SETS] * s * q
    if not placing:
        return points
    openn = board.open_spaces
    spaces_left = bits(openn)
    for i in range(distinct):
        h = hexes[i]
        colour = h // 6
        pattern = h % 6
        v = pattern + 1
        is_exp = board.expansions >> h & 1
        where = free_ring if is_exp else openn
        gains[i] = -1e9
        if where == 0:
            continue
        gc, sc = joining(colour, pattern, v, mp, variant, t, present, near, first, where)
        gp, sp = joining(6 + pattern, colour, v, mp, variant, t, present, near, first, where)
        alone = v * t.chance[mp, 1]
        if sc & sp:
            g = gc + gp
        else:
            g = max(max(gc, gp), alone) + alone
        g += t.left[variant, r, h] + t.weights[W_FILL] * (t.used[m])
        if is_exp:
            g += rounds + t.weights[W_EXP] * t.used[m]
        gains[i] = t.weights[W_PLAN] * g
    for _ in range(5):
        best = -1
        most = 0.0
        usej = 0
        for i in range(distinct):
            h = hexes[i]
            if not avail >> h & 1 or gains[i] < 0:
                continue
            v = h % 6 + 1
            a = POPCOUNT[avail >> (6 * (h // 6)) & 63]
            b = bits(avail & (COLUMN << (h % 6)))
            d = max(a, b)
            need = max(0, v - d)
            if need > jokers:
                continue
            s = gains[i] - (v - need) * t.piece[m, h % 6] - need * kappa
            if s > most:
                most = s
                best = i
                usej = need
        if best < 0:
            break
        h = hexes[best]
        v = h % 6 + 1
        by_colour = POPCOUNT[avail >> (6 * (h // 6)) & 63]
        by_pattern = bits(avail & (COLUMN << (h % 6)))
        line = avail & ((63 << (6 * (h // 6))) if by_colour >= by_pattern else (COLUMN << (h % 6)))
        avail &= ~one(h)
        line &= ~one(h)
        points += gains[best] - usej * kappa - t.piece[m, h % 6]
        jokers -= usej
        for _k in range(v - 1 - usej):
            low = -1
            least = 1e18
            for i in range(distinct):
                x = hexes[i]
                if line >> x & 1:
                    sx = gains[i] - (x % 6 + 1) * t.piece[m, x % 6] if gains[i] > 0 else -(x % 6)
                    if sx < least:
                        least = sx
                        low = i
            x = hexes[low]
            line &= ~one(x)
            avail &= ~one(x)
            points -= t.piece[m, x % 6]
        gains[best] = -1e9
        spaces_left -= 1
    return points


@helper
def display_share(game):
    left = 4 * max(0, game.stack - 1) + game.stack + POPCOUNT[game.beside]
    for place in range(PLACES):
        for k in range(TILES_ON_TOP):
            left += game.lying[place, k] != 0
    return left / (5.0 * stack_size(game.seats))


@helper
def judge_seat(game, seat, share, t, present, near, first, hexes, gains):
    board = game.boards[seat]
    rounds = ROUNDS - np.int64(game.round_number)
    passed = game.passed >> seat & 1
    m = rounds * STEPS
    if not passed:
        m += max(1, int(share * STEPS + 0.5))
    r = np.int64(game.round_number) - 1
    variant = np.int64(game.variant)
    points = np.float64(game.score[seat])
    shown = np.int64(0)
    for k in range(6):
        shown |= board.colours[k]
        points += t.left_colour[r, k] * bits(board.colours[k]) + t.left_pattern[variant, r, k] * bits(board.patterns[k])
    points += (rounds + 1) * pavilions(board)
    free_ring = np.int64(0)
    for a in range(6):
        if board.area[a] == FREE:
            free_ring |= RING_ALL[a]
    points += find_groups(board, free_ring, m, variant, t, present, near, first)
    for e in range(13):
        missing = ELEMENT_SPACES[e] & ~shown
        if missing:
            if e >= FIRST_PAVILION and board.area[e - FIRST_PAVILION] < FACE_UP:
                continue
            a = bits(missing & board.open_spaces)
            points += JOKERS_OF[e] * t.element[m, a, bits(missing) - a]
    n = bits(board.open_spaces)
    points += t.space[m, n]
    placing = rounds > 0 or not passed
    points += plan(
        board,
        variant,
        m,
        rounds + (1 if not passed else 0),
        r + (1 if passed else 0),
        placing,
        t,
        present,
        near,
        first,
        free_ring,
        hexes,
        gains,
        0,
    )
    stored = board.tile_count + board.jokers
    if stored > 6:
        points -= t.weights[W_FULL] * (stored - 6) ** 2 * (t.used[m])
    if game.marker == seat and rounds > 0:
        points += t.weights[W_MARKER]
    return points


@helper
def judge(game, points, t):
    if game.status == OVER:
        for s in range(game.seats):
            points[s] = game.score[s]
        return
    room = np.empty(64 + 64 + 13 + 16, np.int64)
    gains = np.empty(16)
    share = display_share(game)
    for seat in range(game.seats):
        points[seat] = judge_seat(game, seat, share, t, room[:64], room[64:128], room[128:141], room[141:], gains)


TABLES = tables(Weights())


@rule
def estimate(game: Record, points: Floats) -> None:
    """Points each seat may expect to have at the end; the score itself when the game is over."""
    judge(game, points, TABLES)
