"""Enums that the document uses more than once. Each becomes a named component."""

from __future__ import annotations

from service.competitions.model import COMPETITION_STATUSES, ENTRANT_STATUSES, FORMATS
from service.games.notices import NOTICES
from service.games.rating import KINDS_OF_RATING
from service.games.state.clocks import ON_TIMEOUT
from service.games.state.endpoints import FAILURE_DESCRIPTION, FAILURES
from service.games.state.model import VISIBILITIES
from service.games.state.offers import OFFERS
from service.games.state.seats import OUT, SEAT_KINDS
from service.games.state.statuses import GAME_STATUSES, RESULTS
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.texts import LANGUAGES
from service.rulesets.wire import Names
from service.storage.base.connect import OUTAGES
from service.storage.games.archive import OUTAGE as ARCHIVE_OUTAGE
from service.storage.people.moderation import STAFF_ROLES
from service.storage.people.players import SCOPES
from service.storage.people.reports import REPORT_STATUSES
from service.storage.work.tasks import TASK_STATUSES
from service.usecases.base import published_bots
from service.usecases.base.outgoing import ENDPOINT_KINDS
from service.usecases.keeping.rated_games import RATING_ACTS
from service.usecases.keeping.sanctions import ACTS
from service.usecases.keeping.service_warnings import WARNINGS
from service.usecases.matchmaking.challenging import CHALLENGE_STATUSES, DECLINE_REASONS
from service.usecases.matchmaking.competitions import LISTED
from service.usecases.matchmaking.seeking import SEEK_STATUSES
from service.usecases.people.leaderboard_names import GROUPS, PERIODS
from service.usecases.people.reports import CATEGORIES, MEMBERS_OF_TYPE
from service.usecases.work.analyses import DECISION, REVIEW, THINKING
from service.usecases.work.engine_agreement import REVIEW_STATUSES

RULESET = Names("RulesetId", "Id of a ruleset.", RULESETS)
LEVEL = Names("LevelId", "Id of an AI level.", LEVELS)
THINKING_LEVEL = Names("ThinkingLevelId", "Id of an AI level that searches ahead.", THINKING)
GAME_STATUS = Names("GameStatus", "Status of a game. `open`: some seats are unclaimed.", GAME_STATUSES)
SEAT_KIND = Names(
    "SeatKind", "`player`: a person. `open`: can be claimed. `ai`: an AI level. `http`: an endpoint.", SEAT_KINDS
)
VISIBILITY = Names(
    "Visibility", "`public`: listed. `unlisted`: readable with the id. `private`: readable with a token.", VISIBILITIES
)
STAND_IN = Names(
    "StandIn", "What happens to a seat that does not decide: an `ai` takes over, or the seat must `lose`.", ON_TIMEOUT
)
LEAVING = Names("Leaving", "How a seat left a game.", OUT)
OFFER_KIND = Names("OfferKind", "Kind of an offer.", OFFERS)
ADJUDICATED_RESULT = Names(
    "AdjudicatedResult", "`win`: a seat wins. `draw`: shared victory. `double_forfeit`: nobody wins.", RESULTS
)
CALL_FAILURE = Names("CallFailure", FAILURE_DESCRIPTION, FAILURES)
ENDPOINT_KIND = Names("EndpointKind", "What the service calls: a `webhook`, a `device` or a `bot`.", ENDPOINT_KINDS)
NOTICE_TYPE = Names("NoticeType", "Type of a notice.", NOTICES)
RATING_SEATS = Names("RatingSeats", "Number of seats: `two`, or `many` for three or four.", KINDS_OF_RATING)
TASK_STATUS = Names("TaskStatus", "Status of a task. `failed`: request it again.", TASK_STATUSES)
ANALYSIS_KIND = Names("AnalysisKind", "One decision, or a review of a finished game.", (DECISION, REVIEW))
OUTAGE = Names("Outage", "Why Redis or the archive is unavailable.", (*OUTAGES, ARCHIVE_OUTAGE))
WARNING = Names(
    "Warning",
    "Fault with which the service still runs. `archive_unreachable`: no keeper has written to the archive in the last "
    "two minutes. `eviction_policy`: a full Redis would delete games. `misspelt_setting`: a variable looks like a "
    "setting. `mcp_missing`: the MCP server needs its SDK.",
    WARNINGS,
)
POSITION_STATUS = Names(
    "PositionStatus",
    "`deciding`: a seat decides. `drawing`: a draw is due. `over`: the game has ended.",
    ("deciding", "drawing", "over"),
)
TOKEN_ROLE = Names("TokenRole", "Role of a game token.", ("host", "invite", "watch"))
SEEK_STATUS = Names(
    "SeekStatus", "`open`: waiting. `paired`: a game was created. `ended`: another seek was paired.", SEEK_STATUSES
)
CHALLENGE_STATUS = Names("ChallengeStatus", "Status of a challenge.", CHALLENGE_STATUSES)
DECLINE_REASON = Names("DeclineReason", "Why a challenge is declined; `none` if no reason is given.", DECLINE_REASONS)
COMPETITION_FORMAT = Names(
    "CompetitionFormat", "`swiss`: rounds, paired by score. `arena`: free players are paired until time is up.", FORMATS
)
COMPETITION_STATUS = Names("CompetitionStatus", "Status of a competition.", COMPETITION_STATUSES)
LISTED_STATUS = Names("ListedCompetitionStatus", "Status filter for competitions.", LISTED)
COMPETITION_VISIBILITY = Names(
    "CompetitionVisibility", "`public`: listed. `unlisted`: visible only with the link.", ("public", "unlisted")
)
ENTRANT_STATUS = Names(
    "EntrantStatus",
    "`entered`: is paired. `paused`: until they join again. `withdrawn`: has left. `removed`: by the host.",
    ENTRANT_STATUSES,
)
BOARD_OF = Names("BoardOf", "Kind of players on a leaderboard.", GROUPS)
BOARD_PERIOD = Names(
    "BoardPeriod", "Players with a rated game: `quarter`: in the last 90 days. `week`: in this ISO week.", PERIODS
)
BOT_RATED = Names("BotRated", "Opponents in rated games: none, bots only, or everybody.", published_bots.BOT_RATED)
BOT_OPPONENTS = Names("BotOpponents", "Bots, people or both.", published_bots.BOT_OPPONENTS)
PUSH_LANGUAGE = Names("PushLanguage", "Language of notices.", LANGUAGES)
REPORT_STATUS = Names(
    "ReportStatus",
    "`received`: not decided yet. `acted_on`: moderators acted. `no_action`: they did not.",
    REPORT_STATUSES,
)
REPORT_CATEGORY = Names("ReportCategory", "What a report is about.", CATEGORIES)
REPORTED_TYPE = Names("ReportedType", "Kind of a reported object.", MEMBERS_OF_TYPE)
ACT = Names("ModeratorAct", "What a moderator does to a player.", ACTS)
REVIEW_STATUS = Names(
    "ReviewStatus",
    "Review of a compared game. `unavailable`: the game is not over, or is no longer stored.",
    REVIEW_STATUSES,
)
RATING_ACT = Names("RatingAct", "What an admin does to rated games.", RATING_ACTS)
STAFF_ROLE = Names("StaffRole", "Role of a member of staff. `admin` includes `moderator`.", STAFF_ROLES)
SCOPE = Names("Scope", "`play`: full access. `read`: read and follow what the player may see.", SCOPES)
