"""The names of the keys that a bucket's games, players and others share; see `keys`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BucketKeys:
    """The keys a bucket's games share."""

    tag: str
    """``{bNN}``, the hash tag."""

    @property
    def hub(self) -> str:
        """STREAM: ``g`` = game id, ``r`` = its new revision; about the last 10,000 commits."""
        return f"{self.tag}:hub"

    @property
    def due(self) -> str:
        """ZSET: id of a game that waits for an AI or an endpoint -> unix ms when the keeper must look at it."""
        return f"{self.tag}:due"

    @property
    def timeouts(self) -> str:
        """ZSET: id of a game in which time runs -> unix ms when it is up: of a clock, or of a pause."""
        return f"{self.tag}:timeouts"

    @property
    def probe(self) -> str:
        """STRING: written to see whether Redis can be written."""
        return f"{self.tag}:probe"

    @property
    def listing(self) -> str:
        """ZSET: public game's id -> unix ms of its last change."""
        return f"{self.tag}:listing"

    @property
    def expiry(self) -> str:
        """ZSET: game id -> unix ms when its keys expire; the sweep forgets those."""
        return f"{self.tag}:expiry"

    def turns(self, player_id: str) -> str:
        """ZSET: id of a game of this bucket -> unix ms since when it waits for the player's decision."""
        return f"{self.tag}:turns:{player_id}"

    def games(self, player_id: str) -> str:
        """ZSET: id of a game of this bucket in which the player has a seat -> unix ms of its last change."""
        return f"{self.tag}:games:{player_id}"

    def games_left(self, player_id: str) -> str:
        """ZSET: id of a game of this bucket whose seat the player has handed over -> unix ms of that.

        PLAYER_TTL_S from the last; the newest thousand; 90 bytes each.
        """
        return f"{self.tag}:games_left:{player_id}"

    def player(self, player_id: str) -> str:
        """HASH: created_at, name, bot, colour, country, handle, handle_at, banned_at; ``token:<SHA-256 in hex>`` -> a
        token; ``blocked:<id>`` -> since when; ``identity:<provider>`` -> its name and since when.

        `handle_at`: unix ms of the last change; `token`: the digest of the only one, as an older version wrote it.
        PLAYER_TTL_S from the player's last visit; ten tokens, 200 blocked and an identity of each provider at most; 300
        bytes, 200 for each token, 70 for each blocked, 120 for each identity.
        """
        return f"{self.tag}:player:{player_id}"

    def claim(self, kind: str, name: str) -> str:
        """STRING: id of the player whose the name is. As long as the player, an hour until it is confirmed.

        One handle a player, and one identity of each provider; 70 bytes, 120 of an identity.
        """
        return f"{self.tag}:{kind}:{name}"

    def ratings(self, player_id: str) -> str:
        """HASH: ``<ruleset>:<kind>`` -> mu, sigma, games, wins, best.

        As long as the player; two of each ruleset at most; 120 bytes each.
        """
        return f"{self.tag}:ratings:{player_id}"

    def rating_days(self, player_id: str, field: str) -> str:
        """HASH: days since 1970 -> the rating's mu, sigma at its end.

        As long as the player; the last 366 days on which it changed; 60 bytes each.
        """
        return f"{self.tag}:rating_days:{player_id}:{field}"

    def rated_games(self, player_id: str) -> str:
        """ZSET: id of a game whose result was applied -> unix ms of its end. As long as the player.

        Those of 14 days, as many as the player ends in them; 90 bytes each. See `ratings`: none is applied after seven.
        """
        return f"{self.tag}:rated_games:{player_id}"

    def statistics(self, player_id: str) -> str:
        """HASH: a field of the player's statistics -> what is counted in it, numbers divided by blanks.

        As long as the player; 42 fields at most (for each ruleset two, people, and a level each); 60 bytes each.
        """
        return f"{self.tag}:statistics:{player_id}"

    def counted_games(self, player_id: str) -> str:
        """ZSET: id of a game that was counted -> unix ms of its end. As `rated_games`."""
        return f"{self.tag}:counted_games:{player_id}"

    def meetings(self, digest: str) -> str:
        """ZSET: id of a rated game that two players ended on one day -> how many were counted before it.

        `digest`: of the players and the day. Two days; as many as the two end in one; 90 bytes each.
        """
        return f"{self.tag}:meetings:{digest}"

    def board(self, name: str) -> str:
        """ZSET: player id -> points. PLAYER_TTL_S from the last game, of a week 15 days; 100,000 at most.

        80 bytes each.
        """
        return f"{self.tag}:board:{name}"

    def sign_in(self, sign_in_id: str) -> str:
        """STRING: a sign-in that has begun. Ten minutes; as many as LIMIT_GAMES lets a caller begin; 300 bytes."""
        return f"{self.tag}:sign_in:{sign_in_id}"

    @property
    def to_archive(self) -> str:
        """ZSET: id of a finished game of this bucket, or ``player:<id>`` -> unix ms when a keeper is to archive it.

        0: at once. The player is one who was deleted, whom archived games still name. Until it is done; 90 bytes each.
        """
        return f"{self.tag}:to_archive"

    def archived_games(self, player_id: str) -> str:
        """ZSET: id of an archived game that names the player -> unix ms of its last change.

        As long as the player, and for ever once they are deleted, until none names them; 90 bytes each.
        """
        return f"{self.tag}:archived_games:{player_id}"

    @property
    def follow_ups(self) -> str:
        """HASH: id -> what a change of a player or game of this bucket leaves to be done.

        Until it is done; one for each change; 200 bytes each, a rated game's 90.
        """
        return f"{self.tag}:follow_ups"

    @property
    def follow_ups_due(self) -> str:
        """ZSET: id of a follow-up -> unix ms when a keeper is to do it."""
        return f"{self.tag}:follow_ups_due"

    def webhooks(self, player_id: str) -> str:
        """HASH: webhook id -> the webhook; of a player of this bucket."""
        return f"{self.tag}:webhooks:{player_id}"

    def deliveries(self, player_id: str, webhook_id: str) -> str:
        """HASH: delivery id -> the delivery; of a webhook of a player of this bucket."""
        return f"{self.webhooks(player_id)}:{webhook_id}"

    def latest(self, player_id: str, webhook_id: str) -> str:
        """LIST: ids of the webhook's deliveries, newest first."""
        return f"{self.deliveries(player_id, webhook_id)}:latest"

    @property
    def deliveries_due(self) -> str:
        """ZSET: ``player webhook delivery`` -> unix ms when it is to be tried."""
        return f"{self.tag}:deliveries_due"

    @property
    def pushes_due(self) -> str:
        """ZSET: ``player device delivery`` -> unix ms when it is to be tried."""
        return f"{self.tag}:pushes_due"

    def devices(self, player_id: str) -> str:
        """HASH: device id -> a push subscription; of a player of this bucket.

        PLAYER_TTL_S from the player's last visit; ten at most; 700 bytes each. Its deliveries are kept as those of a
        webhook; twenty at most.
        """
        return f"{self.tag}:devices:{player_id}"

    @property
    def push_key(self) -> str:
        """STRING: the private key by which push services know the service, unless VAPID_PRIVATE_KEY is set.

        For ever; one; 100 bytes.
        """
        return f"{self.tag}:push_key"

    @property
    def hooked(self) -> str:
        """SET: every player who has a webhook or a device, of whatever bucket."""
        return f"{self.tag}:hooked"

    @property
    def outbox(self) -> str:
        """STREAM: ``p`` = a hooked player, ``n`` = a notice out of a game of this bucket, to be delivered."""
        return f"{self.tag}:outbox"

    @property
    def seeks(self) -> str:
        """HASH: seek id -> a seek that waits. Until it ends; 2,000 at most; 250 bytes, 20 for each blocked player."""
        return f"{self.tag}:seeks"

    @property
    def seeks_ending(self) -> str:
        """ZSET: id of a seek that waits -> unix ms when it ends, unless somebody keeps it."""
        return f"{self.tag}:seeks_ending"

    def seeks_of(self, player_id: str) -> str:
        """SET: ids of the seeks of a player. Two days from the last; three at most; 110 bytes."""
        return f"{self.tag}:seeks_of:{player_id}"

    def paired(self, seek_id: str) -> str:
        """STRING: id of the game that a seek has become, and the seek. A day; one of each; 400 bytes."""
        return f"{self.tag}:paired:{seek_id}"

    def challenge(self, challenge_id: str) -> str:
        """STRING: a challenge. Until a day after its end; 350 bytes."""
        return f"{self.tag}:challenge:{challenge_id}"

    def challenges_sent(self, player_id: str) -> str:
        """ZSET: id of a challenge of the player that waits -> unix ms when it ends. Ten at most; 100 bytes each."""
        return f"{self.tag}:challenges_sent:{player_id}"

    def challenges_received(self, player_id: str) -> str:
        """ZSET: id of a challenge that waits for the player -> unix ms when it ends. Fifty at most; 100 bytes each."""
        return f"{self.tag}:challenges_received:{player_id}"

    def challenges_told(self, player_id: str) -> str:
        """ZSET: id of a challenge of the player, or for them -> its version: unix ms of its last change, or later.

        As long as the last of these challenges; the newest hundred; 100 bytes each.
        """
        return f"{self.tag}:challenges_told:{player_id}"

    @property
    def pairings(self) -> str:
        """HASH: game id -> a pairing whose game is to be created. Until that is done; 400 bytes each."""
        return f"{self.tag}:pairings"

    @property
    def pairings_due(self) -> str:
        """ZSET: game id -> unix ms when a keeper is to create the game of a pairing."""
        return f"{self.tag}:pairings_due"

    @property
    def bots(self) -> str:
        """HASH: player id -> what a bot plays, for how many, how it is called. Until the bot is withdrawn or its player
        is no more; 500 at most; 400 bytes, 700 of one that is called.
        """
        return f"{self.tag}:bots"

    @property
    def bot_owners(self) -> str:
        """HASH: player id of a bot -> that of its owner. As long as what the bot plays; one each; 60 bytes."""
        return f"{self.tag}:bot_owners"

    @property
    def bots_seen(self) -> str:
        """ZSET: player id of a bot -> unix ms when it was here last; 0: never.

        As long as what the bot plays; one each; 80 bytes.
        """
        return f"{self.tag}:bots_seen"

    @property
    def bots_failed(self) -> str:
        """ZSET: player id of a bot -> unix ms when its endpoint failed last; 0: never. As `bots_seen`."""
        return f"{self.tag}:bots_failed"

    @property
    def bot_arena(self) -> str:
        """ZSET: player id of a bot that takes part in the bots' arena -> unix ms when it was paired there last.

        0: never. As long as it takes part; one each; 80 bytes.
        """
        return f"{self.tag}:bot_arena"

    def bot_arena_day(self, day: int) -> str:
        """HASH: player id, or two of them -> games that the bots' arena has begun for it, or for the two, on that day.

        `day`: days since 1970. Two days; a field of each bot and of each two that have met; 50 bytes each.
        """
        return f"{self.tag}:bot_arena_day:{day}"

    @property
    def bot_arena_look(self) -> str:
        """STRING: there while no keeper looks after the bots' arena, since one has. Some seconds; one; 60 bytes."""
        return f"{self.tag}:bot_arena_look"

    def bot_games(self, player_id: str) -> str:
        """ZSET: id of a game that a bot plays, out of a pairing -> unix ms when it was paired.

        GAME_TTL_S from the last; those that the bot plays at once, as it says, and 20 at most; 90 bytes each.
        """
        return f"{self.tag}:bot_games:{player_id}"

    def competition(self, competition_id: str) -> str:
        """HASH: version, plan, state (JSON: 400 and 250 bytes).

        30 days from its last change; 200 that are not over at one time.
        """
        return f"{self.tag}:competition:{competition_id}"

    def entrants(self, competition_id: str) -> str:
        """HASH: number -> who has entered. As long as the competition; 256 at most; 150 bytes each."""
        return f"{self.competition(competition_id)}:entrants"

    def contests(self, competition_id: str) -> str:
        """HASH: game id, or ``bye:<round>`` -> a game of the competition, and what came of it.

        As long as the competition; 1,920 of a Swiss at most, 4,128 of an arena; 110 bytes each.
        """
        return f"{self.competition(competition_id)}:contests"

    @property
    def competition_games(self) -> str:
        """HASH: id of a game that is played -> that of its competition. Until it is over; 60 bytes each."""
        return f"{self.tag}:competition_games"

    @property
    def competitions_due(self) -> str:
        """ZSET: id of a competition that is not over -> unix ms when a keeper is to look at it."""
        return f"{self.tag}:competitions_due"

    def competitions(self, listed: str) -> str:
        """ZSET: id of a public competition -> unix ms when it begins, has begun, or was over. `listed`: its status.

        Until it has another; of those that are over the last 300, for 30 days; 90 bytes each.
        """
        return f"{self.tag}:competitions:{listed}"

    @property
    def competitions_open(self) -> str:
        """ZSET: id of a competition that is not over -> unix ms when it was announced. 200 at most; 90 bytes each."""
        return f"{self.tag}:competitions_open"

    def competitions_hosted(self, player_id: str) -> str:
        """ZSET: id of a competition that the player has announced -> unix ms of that. As `competitions_entered`."""
        return f"{self.tag}:competitions_hosted:{player_id}"

    def competitions_entered(self, player_id: str) -> str:
        """ZSET: id of a competition that the player has entered -> unix ms of that.

        120 days from the last, and each; 500 at most; 90 bytes each.
        """
        return f"{self.tag}:competitions_entered:{player_id}"

    def created(self, digest: str) -> str:
        """STRING: the remembered answer of a create whose idempotency key has this digest."""
        return f"{self.tag}:create:{digest}"
