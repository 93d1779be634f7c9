"""Sets of words that the document uses at more than one place: each is a component with a name."""

from __future__ import annotations

from service.competitions.model import COMPETITION_STATUSES, ENTRANT_STATUSES, FORMATS
from service.games.clocks import ON_TIMEOUT
from service.games.endpoints import FAILURES
from service.games.model import VISIBILITIES
from service.games.notices import NOTICES
from service.games.offers import OFFERS
from service.games.rating import KINDS_OF_RATING
from service.games.seats import SEAT_KINDS
from service.games.statuses import GAME_STATUSES
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.texts import LANGUAGES
from service.rulesets.wire import Names
from service.storage.archive import OUTAGE as ARCHIVE_OUTAGE
from service.storage.connect import OUTAGES
from service.storage.players import SCOPES
from service.storage.tasks import TASK_STATUSES
from service.usecases.core import bots
from service.usecases.core.boards import PERIODS, WHO
from service.usecases.requests.challenging import CHALLENGE_STATUSES, DECLINE_REASONS
from service.usecases.requests.competitions import LISTED
from service.usecases.requests.seeking import SEEK_STATUSES
from service.usecases.tasks.analyses import DECISION, REVIEW, THINKING

RULESET = Names("RulesetId", "What is played.", RULESETS)
LEVEL = Names("LevelId", "A level of an AI.", LEVELS)
THINKING_LEVEL = Names("ThinkingLevelId", "A level of an AI that thinks ahead.", THINKING)
GAME_STATUS = Names("GameStatus", "How far a game is; `open`: seats are still to be claimed.", GAME_STATUSES)
SEAT_KIND = Names(
    "SeatKind", "The kind of who plays a seat: a person, the one who claims it, an AI, an endpoint.", SEAT_KINDS
)
VISIBILITY = Names(
    "Visibility", "`public`: listed; `unlisted`: read by who knows the id; `private`: by token.", VISIBILITIES
)
STAND_IN = Names(
    "StandIn", "What a seat meets that does not decide: an `ai` plays on, or the seat must `lose`.", ON_TIMEOUT
)
OFFER_KIND = Names("OfferKind", "What is offered.", OFFERS)
CALL_FAILURE = Names("CallFailure", "Why an endpoint made no decision.", FAILURES)
NOTICE_TYPE = Names("NoticeType", "A type of notice.", NOTICES)
RATING_SEATS = Names("RatingSeats", "How many sit at the table: `two`, or `many`: three or four.", KINDS_OF_RATING)
TASK_STATUS = Names("TaskStatus", "How far a task is; `failed`: it will not be done.", TASK_STATUSES)
ANALYSIS_KIND = Names("AnalysisKind", "One decision, or all of a game that is over.", (DECISION, REVIEW))
OUTAGE = Names("Outage", "Why the store, or the archive, cannot serve.", (*OUTAGES, ARCHIVE_OUTAGE))
POSITION_STATUS = Names(
    "PositionStatus", "Whether a seat decides, chance does, or nobody any more.", ("deciding", "drawing", "over")
)
TOKEN_ROLE = Names("TokenRole", "What a token of a game is for.", ("host", "invite", "watch"))
SEEK_STATUS = Names(
    "SeekStatus", "Whether a seek waits, has become a game, or ended because another one did.", SEEK_STATUSES
)
CHALLENGE_STATUS = Names("ChallengeStatus", "How far a challenge is.", CHALLENGE_STATUSES)
DECLINE_REASON = Names("DeclineReason", "Why a challenge is declined; `none`: no reason is given.", DECLINE_REASONS)
COMPETITION_FORMAT = Names(
    "CompetitionFormat", "`swiss`: in rounds, by scores; `arena`: whoever is free, until the time is up.", FORMATS
)
COMPETITION_STATUS = Names("CompetitionStatus", "How far a competition is.", COMPETITION_STATUSES)
LISTED_STATUS = Names("ListedCompetitionStatus", "How far competitions of the list are.", LISTED)
COMPETITION_VISIBILITY = Names(
    "CompetitionVisibility", "`public`: listed; `unlisted`: found by who knows the link.", ("public", "unlisted")
)
ENTRANT_STATUS = Names(
    "EntrantStatus",
    "`entered`: they are paired; `paused`: not until they join again; `withdrawn`: no more; `removed`: by the host.",
    ENTRANT_STATUSES,
)
BOARD_OF = Names("BoardOf", "The kind of players on a leaderboard: people, or programs.", WHO)
BOARD_PERIOD = Names("BoardPeriod", "`ever`: all rated players; `week`: who has ended a rated game this week.", PERIODS)
BOT_RATED = Names(
    "BotRated", "Against whom a bot plays rated games: nobody, bots alone, or people, too.", bots.BOT_RATED
)
BOT_OPPONENTS = Names("BotOpponents", "Whom a bot plays with: bots, people, or both.", bots.BOT_OPPONENTS)
PUSH_LANGUAGE = Names("PushLanguage", "The language of texts on a device.", LANGUAGES)
SCOPE = Names(
    "Scope",
    "What a player's token is good for; `play`: everything; `read`: only to see and follow what the player may see.",
    SCOPES,
)
