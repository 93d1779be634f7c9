"""Names of the keys that the games, players and other entities of a bucket share. See `keys`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class _Key:
    """The name of a key that a bucket has once: ``<tag>:<name>``. The default name is that of the attribute.

    The first access stores the name in the bucket, like `functools.cached_property`.
    """

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __set_name__(self, _: type, attribute: str) -> None:
        self._attribute, self._name = attribute, self._name or attribute

    def __get__(self, bucket: BucketKeys, _: type) -> str:
        name = bucket.__dict__[self._attribute] = f"{bucket.tag}:{self._name}"
        return name


def _key_by_id(kind: str) -> Callable[[BucketKeys, str | int], str]:
    """Return a method that names the key of one entity: ``<tag>:<kind>:<id>``."""

    def key(bucket: BucketKeys, entity_id: str | int) -> str:
        return f"{bucket.tag}:{kind}:{entity_id}"

    return key


@dataclass(frozen=True)
class BucketKeys:
    """Names of the keys that the games of a bucket share.

    The documentation of each key gives its type, content, lifetime, number of entries and size in bytes. Methods take
    the id of a player unless the documentation names another argument. "As long as the player" means PLAYER_TTL_S from
    the player's last visit.
    """

    tag: str
    """``{bNN}``, the hash tag."""

    hub = _Key()
    """STREAM: ``g`` = game id, ``r`` = its new revision, ``p`` = its players. About the last 10,000 commits."""
    due = _Key()
    """ZSET: id of a game that waits for an AI or an endpoint -> unix ms when a keeper must process it."""
    timeouts = _Key()
    """ZSET: id of a game with a running clock or pause -> unix ms when that time is up."""
    probe = _Key()
    """STRING: written to check that Redis accepts writes."""
    listing = _Key()
    """ZSET: id of a public game -> unix ms of its last change."""
    expiry = _Key()
    """ZSET: game id -> unix ms when its keys expire. The sweep removes expired games."""
    turns = _key_by_id("turns")
    """ZSET: id of a game of this bucket that waits for the player's decision -> unix ms since when."""
    games = _key_by_id("games")
    """ZSET: id of a game of this bucket in which the player has a seat -> unix ms of its last change."""
    presence = _key_by_id("presence")
    """ZSET: a viewer of a game, or of a player's own stream -> unix ms when the viewer counts as gone.

    The argument is the id of the game or player. At most 80 s from the viewer's last renewal. At most 1,100, 100 bytes
    each.
    """
    games_left = _key_by_id("games_left")
    """ZSET: id of a game of this bucket whose seat the player has handed over -> unix ms of the handover.

    PLAYER_TTL_S from the last handover. The newest 1,000, 90 bytes each.
    """
    player = _key_by_id("player")
    """HASH: created_at, name, bot, colour, country, handle, handle_at, banned_at; the fields of `moderation.Standing`;
    ``token:<SHA-256 in hex>`` -> a token; ``blocked:<id>`` and ``following:<id>`` -> since when;
    ``identity:<provider>`` -> its name and since when.

    `handle_at`: unix ms of the last change. `token`: the digest of the player's only token, written by older versions.
    PLAYER_TTL_S from the player's last visit. At most ten tokens, 200 blocked and 200 followed players, and
    one identity of each provider. 300 bytes, and 200 for each token, 70 for each other player, 120 for each identity.
    """

    def reservation(self, kind: str, name: str) -> str:
        """Return the key of a reserved name.

        STRING: id of the player who has reserved the name. As long as the player, but one hour until the reservation
        is confirmed. One handle of each player, and one identity of each provider. 70 bytes, 120 for an identity.
        """
        return f"{self.tag}:{kind}:{name}"

    ratings = _key_by_id("ratings")
    """HASH: ``<ruleset>:<kind>`` -> mu, sigma, games, wins, best, end of the last game, opponents, established ones.

    As long as the player. At most two of each ruleset, 150 bytes each.
    """

    def rating_days(self, player_id: str, field: str) -> str:
        """Return the key of the history of one rating.

        HASH: days since 1970 -> mu and sigma at the end of the day. As long as the player. The last 366 days on which
        the rating changed, 60 bytes each.
        """
        return f"{self.tag}:rating_days:{player_id}:{field}"

    def rating_opponents(self, player_id: str, field: str) -> str:
        """Return the key of the opponents in the games of one rating.

        ZSET: digest of an opponent's id -> 1 if they were established in a game, else 0. As long as the player. At
        most 50, 130 bytes each.
        """
        return f"{self.tag}:rating_opponents:{player_id}:{field}"

    rated_games = _key_by_id("rated_games")
    """ZSET: id of a game whose result was applied -> unix ms of its end. As long as the player.

    All games of the last 14 days, 90 bytes each. No game is applied after seven days, see `people.ratings`.
    """
    removed_games = _key_by_id("removed_games")
    """SET: id of a rated game that is removed from the player's ratings. As long as the player, 60 bytes each."""
    aborted_games = _key_by_id("aborted_games")
    """ZSET: id of a rated game that the player left so early that it was aborted -> unix ms of its end.

    The last four, for 25 hours after the last one. 90 bytes each.
    """
    statistics = _key_by_id("statistics")
    """HASH: a field of the player's statistics -> its numbers, separated by spaces.

    As long as the player. At most 42 fields: for each ruleset two, people, and each level. 60 bytes each.
    """
    counted_games = _key_by_id("counted_games")
    """ZSET: id of a game that was counted in the statistics -> unix ms of its end. Like `rated_games`."""
    puzzle_progress = _key_by_id("puzzle_progress")
    """HASH: ``rating:<ruleset>`` -> the player's puzzle rating; ``next:<filters>`` -> id of the chosen puzzle; streaks.

    As long as the player. At most one of each ruleset and of each filter, 50 bytes each.
    """
    puzzle_attempts = _key_by_id("puzzle_attempts")
    """HASH: puzzle id -> the player's first attempt and the time of the last one.

    As long as the player. At most one of each puzzle, 120 bytes each.
    """
    puzzle_counts = _Key()
    """HASH: ``<puzzle id>:<name>`` -> attempts, solved, and change of the rating by players of this bucket.

    Never expires. Three of each puzzle, 40 bytes each.
    """
    daily_puzzle = _key_by_id("daily_puzzle")
    """HASH: attempts, solved: players of this bucket who tried the daily puzzle, by days since 1970. Three days."""
    meetings = _key_by_id("meetings")
    """ZSET: id of a rated game of the same two players, or of a player and new accounts -> unix ms of its end.

    The argument is a digest of the names. 7 days from the last game, 30 for new accounts. 90 bytes each.
    """
    board = _key_by_id("board")
    """ZSET: player id -> points on the leaderboard of this name.

    Its name is followed by `:ranked` for the same of ranked players, and by `:played` for unix ms of the player's last
    game. 91 days from the last game, 15 for the board of a week. At most 100,000, 80 bytes each.
    """
    sign_in = _key_by_id("sign_in")
    """STRING: an unfinished sign-in, by its id. Ten minutes. LIMIT_GAMES bounds the number. 600 bytes."""
    to_archive = _Key()
    """ZSET: id of a finished game of this bucket, or ``player:<id>`` -> unix ms when a keeper must archive it.

    0 means at once. A player is listed after the account was deleted, if archived games still contain the player.
    Until it is done, 90 bytes each.
    """
    archived_games = _key_by_id("archived_games")
    """ZSET: id of an archived game that contains the player -> unix ms of its last change.

    As long as the player. After the account was deleted it does not expire, and ends when no archived game contains
    the player. 90 bytes each.
    """
    follow_ups = _Key()
    """HASH: id -> a follow-up of a change of a player or game of this bucket.

    Until it is done. One for each change, 200 bytes each, 90 for a rated game.
    """
    follow_ups_due = _Key()
    """ZSET: id of a follow-up -> unix ms when a keeper executes it."""
    player_index = _Key()
    """ZSET: ``<field>:<content>``, a zero byte and the id of a player of this bucket -> 0. See `people.player_index`.

    As long as the last player, and an entry until the keepers find it. At most four of each player, 100 bytes each.
    """
    staff = _Key()
    """HASH: ``<role>:<id>`` -> name, creation and token's digest of a member of staff. Until deleted, 180 bytes."""
    figures = _key_by_id("figures")
    """HASH: ``games:<ruleset>:<kind>`` and ``wait:<seconds>`` -> number of games or seeks, by days since 1970.

    100 days. At most 25, 40 bytes each.
    """
    active_players = _key_by_id("active_players")
    """STRING: a HyperLogLog of the players with a game that ended on a day, by days since 1970. 100 days, 12 KB."""
    returning_players = _key_by_id("returning_players")
    """STRING: the same of those who were created on an earlier day."""
    service_status = _Key()
    """HASH: announcement, maintenance (JSON, 100 to 2,000 bytes). Until an admin removes them."""
    audit_log = _Key()
    """STREAM: ``e`` = an act of staff on an object of this bucket. Never expires. 250 bytes each, 500 of a reason."""
    reports = _Key()
    """ZSET: report id -> unix ms of its creation, or 4e15 less unix ms if it is resolved.

    180 days from the last report. At most 20,000, 90 bytes each.
    """
    report = _key_by_id("report")
    """HASH: report, reporter, status, resolved_at, by the id of the report. 180 days, 1 to 15 KB."""
    reports_of = _key_by_id("reports_of")
    """ZSET: id of a report by the player -> unix ms of its creation. 180 days from the last. At most 100."""
    address_secret = _key_by_id("address_secret")
    """STRING: the random key of the digests of addresses in a period of 14 days, by its number.

    Until the end of the period, like everything computed with it. One, 100 bytes.
    """
    address_players = _key_by_id("address_players")
    """ZSET: player id -> unix ms when the player was last seen at an address, by the digest of the address.

    Until the end of the period. The newest 100, 90 bytes each.
    """
    address_digests = _key_by_id("address_digests")
    """ZSET: digest of an address of the player -> unix ms when they were last seen there.

    Until the end of the period. The newest 20, 100 bytes each.
    """
    webhooks = _key_by_id("webhooks")
    """HASH: webhook id -> a webhook of a player of this bucket."""

    def deliveries(self, player_id: str, webhook_id: str) -> str:
        """Return the key of a webhook's deliveries. HASH: delivery id -> the delivery."""
        return f"{self.webhooks(player_id)}:{webhook_id}"

    def delivery_ids(self, player_id: str, webhook_id: str) -> str:
        """Return the key of the order of a webhook's deliveries. LIST: their ids, newest first."""
        return f"{self.deliveries(player_id, webhook_id)}:latest"

    deliveries_due = _Key()
    """ZSET: ``player webhook delivery`` -> unix ms of the next attempt."""
    pushes_due = _Key()
    """ZSET: ``player device delivery`` -> unix ms of the next attempt."""
    devices = _key_by_id("devices")
    """HASH: device id -> a push subscription of a player of this bucket.

    PLAYER_TTL_S from the player's last visit. At most ten, 700 bytes each. Deliveries are stored like those of a
    webhook, at most twenty.
    """
    endpoint_health = _key_by_id("endpoint_health")
    """HASH: count, since, last: the failures in a row of a seat's endpoint, by a digest of its owner and URL.

    Seven days from the last failure, until a call succeeds. One for each failing endpoint, 100 bytes.
    """
    push_key = _Key()
    """STRING: the private key that identifies the service to push services, unless VAPID_PRIVATE_KEY is set.

    Never expires. One, 100 bytes.
    """
    subscribers = _Key("hooked")
    """SET: players of all buckets who have a webhook or a device."""
    outbox = _Key()
    """STREAM: ``p`` = a subscriber, ``n`` = a notice about a game of this bucket, not delivered yet."""
    holders = _key_by_id("holders")
    """HASH: id of an entry of a shared list -> digest of its caller, player id and unix ms of its beginning.

    The argument names the list: seeks, competitions, bots, or ``challenges:`` and the challenged player. As long as an
    entry can live, 120 bytes each.
    """

    def entries_of_caller(self, name: str, caller: str) -> str:
        """Return the key of a caller's entries of a shared list, by the digest of the caller.

        ZSET: id of an entry -> unix ms of its beginning. Lifetime of `holders`. At most LIMIT_SHARE, 90 bytes each.
        Ended entries are removed with the next new one.
        """
        return f"{self.holders(name)}:{caller}"

    seeks = _Key()
    """HASH: seek id -> a waiting seek. Until it ends. At most 2,000, 250 bytes, 20 for each blocked player."""
    seeks_ending = _Key()
    """ZSET: id of a waiting seek -> unix ms when it ends unless the player renews it."""
    seeks_of = _key_by_id("seeks_of")
    """SET: ids of the seeks of a player. Two days from the last. At most three, 110 bytes."""
    paired_seek = _key_by_id("paired")
    """STRING: id of the game that a seek has become, then the seek, by the seek's id. One day, 400 bytes."""
    live_start = _key_by_id("live_start")
    """HASH: at, scope: unix ms of the player's last start of a game with a live clock, and the game or its offer.

    Three days, one for each player, 110 bytes.
    """
    starters = _Key()
    """SET: players who have started such a game. Until a keeper has ended their challenges, 60 bytes each."""
    challenge = _key_by_id("challenge")
    """STRING: a challenge, by its id. Until a day after its end, 350 bytes."""
    challenges_sent = _key_by_id("challenges_sent")
    """ZSET: id of an open challenge from the player -> unix ms when it ends. At most ten, 100 bytes each."""
    challenges_received = _key_by_id("challenges_received")
    """ZSET: id of an open challenge to the player -> unix ms when it ends. At most fifty, 100 bytes each."""
    challenges_changed = _key_by_id("challenges_told")
    """ZSET: id of a challenge from or to the player -> its version: unix ms of its last change, or later.

    As long as the last of these challenges. The newest hundred, 100 bytes each.
    """
    pairings = _Key()
    """HASH: game id -> a pairing whose game does not exist yet. Until the game is created, 400 bytes each."""
    pairings_due = _Key()
    """ZSET: game id -> unix ms when a keeper creates the game of a pairing."""
    bots = _Key()
    """HASH: player id -> a published bot: rulesets, numbers of seats, endpoint.

    Until the bot is withdrawn or its account is deleted. At most 500, 400 bytes each, 700 with an endpoint.
    """
    bot_owners = _Key()
    """HASH: player id of a bot -> player id of its owner. Lifetime of `bots`, one each, 60 bytes."""
    bots_seen = _Key()
    """ZSET: player id of a bot -> unix ms of its last visit, or 0. Lifetime of `bots`, one each, 80 bytes."""
    bots_failed = _Key()
    """ZSET: player id of a bot -> unix ms of the last failure of its endpoint, or 0. Like `bots_seen`."""
    bot_arena = _Key()
    """ZSET: player id of a bot in the bots' arena -> unix ms of its last pairing there, or 0.

    Until the bot leaves the arena, one each, 80 bytes.
    """

    def bot_arena_day(self, day: int) -> str:
        """Return the key of the games that the bots' arena has started on a day, in days since 1970.

        HASH: player id, or two of them -> number of games of the bot, or of the pair. Two days. One field for each bot
        and for each pair, 50 bytes each.
        """
        return f"{self.tag}:bot_arena_day:{day}"

    bot_arena_lease = _Key("bot_arena_look")
    """STRING: exists while no keeper may pair the bots' arena again. Some seconds, one, 60 bytes."""
    bot_games = _key_by_id("bot_games")
    """ZSET: id of a game that a bot plays after a pairing -> unix ms of the pairing.

    GAME_TTL_S from the last. At most 20, and the number that the bot plays at once, 90 bytes each.
    """
    competition = _key_by_id("competition")
    """HASH: version, plan, state of a competition, by its id (JSON: 400 and 250 bytes).

    30 days from its last change. At most 200 that are not over.
    """

    def entrants(self, competition_id: str) -> str:
        """Return the key of a competition's entrants.

        HASH: number -> the entrant. As long as the competition. At most 256, 150 bytes each.
        """
        return f"{self.competition(competition_id)}:entrants"

    def contests(self, competition_id: str) -> str:
        """Return the key of a competition's games.

        HASH: game id, or ``bye:<round>`` -> the game and its result. As long as the competition. At most 1,920 of a
        Swiss and 4,128 of an arena, 110 bytes each.
        """
        return f"{self.competition(competition_id)}:contests"

    competition_games = _Key()
    """HASH: id of a running game -> id of its competition. Until the game is over, 60 bytes each."""
    competitions_due = _Key()
    """ZSET: id of a competition that is not over -> unix ms when a keeper must process it."""
    competitions = _key_by_id("competitions")
    """ZSET: id of a public competition -> unix ms of its planned begin, begin or end. The argument is its status.

    Until its status changes. Of those that are over the last 300, for 30 days. 90 bytes each.
    """
    competitions_open = _Key()
    """ZSET: id of a competition that is not over -> unix ms of its announcement. At most 200, 90 bytes each."""
    competitions_hosted = _key_by_id("competitions_hosted")
    """ZSET: id of a competition that the player announced -> unix ms of that. Like `competitions_entered`."""
    competitions_entered = _key_by_id("competitions_entered")
    """ZSET: id of a competition that the player entered -> unix ms of that.

    120 days from the last, and each. At most 500, 90 bytes each.
    """
    create_replay = _key_by_id("create")
    """STRING: the replay entry of a create, by the digest of its idempotency key.

    Ten minutes, or a day if the key belongs to a token. 1,000 bytes.
    """
