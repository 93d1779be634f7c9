"""The operator's page at `/admin`: server-rendered, without scripts, protected by ADMIN_TOKEN.

Browsers send the token as the password of HTTP Basic with any user name, programs as a bearer token. Forms contain a
code against cross-site requests. Without ADMIN_TOKEN the page does not exist.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from service.usecases.base import access
from service.usecases.base.context import Caller
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.keeping import operating, sanctions
from service.web.http.auth import caller, context, token
from service.web.http.middleware import page_policy
from service.web.http.problems import abort, problem

blueprint = Blueprint("operator", __name__, url_prefix="/admin")
LOGIN = 'Basic realm="Azul games, the operator: any name, ADMIN_TOKEN as the password"'
View = Callable[..., BaseResponse]


def _operator() -> Caller:
    """Return the caller, with the token from the password or the bearer token."""
    basic = None if request.authorization is None else request.authorization.password
    return replace(caller(), token=token() or basic)


def _code() -> str:
    """Return the code that forms must contain."""
    token_bytes = context().settings.admin_token.encode()
    return hmac.new(token_bytes, b"forms of the operator's page", hashlib.sha256).hexdigest()


def operator_only(view: View) -> View:
    """Restrict a view to the operator, and forms to those of this page."""

    @wraps(view)
    def guarded_view(**names: str) -> BaseResponse:
        if not context().settings.admin_token:
            abort("request/not_found")
        operator = _operator()
        if operator.token is None or not access.is_admin(context(), operator):
            refusal = problem("auth/token_required" if operator.token is None else "auth/token_unknown")
            refusal.headers["WWW-Authenticate"] = LOGIN
            return refusal
        if request.method == "POST" and not hmac.compare_digest(
            request.form.get("code", "").encode(), _code().encode()
        ):
            return problem("auth/staff_only")  # a form of another page
        return view(operator, **names)

    return guarded_view


def _page(template: str, **content: Any) -> Response:
    answer = Response(render_template(template, code=_code(), **content), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = page_policy("form-action", "'self'")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.route("", methods=["GET"])
@operator_only
def show(operator: Caller) -> BaseResponse:
    """Show the state of the service and its games."""
    try:
        found = operating.overview(context(), operator, request.args.get("cursor"))
    except ValueError:
        abort("request/invalid", errors={"/cursor": "must be a cursor returned by this operation"}, where="query")
    return _page("admin.html", root="", found=found)


@blueprint.route("/games/<game_id>/end", methods=["POST"])
@operator_only
def end_game(operator: Caller, game_id: str) -> BaseResponse:
    """End a game without a result."""
    playing.abort(context(), Request(operator, game_id))
    return redirect("../../../admin", 303)


@blueprint.route("/processes/<name>/drain", methods=["POST"])
@operator_only
def drain_process(operator: Caller, name: str) -> BaseResponse:
    """Make a process take no further jobs."""
    operating.drain(context(), operator, name)
    return redirect("../../../admin", 303)


@blueprint.route("/processes/<name>/go-on", methods=["POST"])
@operator_only
def let_process_go_on(operator: Caller, name: str) -> BaseResponse:
    """Make a drained process take jobs again."""
    operating.resume(context(), operator, name)
    return redirect("../../../admin", 303)


@blueprint.route("/players", methods=["GET"])
@operator_only
def show_player(operator: Caller) -> BaseResponse:
    """Show a player, by id or handle."""
    found = operating.get_player(context(), operator, request.args.get("player", "").strip())
    return _page("admin_player.html", root="../", player=found)


@blueprint.route("/players/<player>/ban", methods=["POST"])
@operator_only
def ban_player(operator: Caller, player: str) -> BaseResponse:
    """Ban a player: all of their tokens stop working."""
    sanctions.act(context(), operator, player, "ban")
    return redirect(f"../../players?player={player}", 303)


@blueprint.route("/players/<player>/unban", methods=["POST"])
@operator_only
def unban_player(operator: Caller, player: str) -> BaseResponse:
    """Lift the ban: the tokens of the player work again."""
    sanctions.act(context(), operator, player, "unban")
    return redirect(f"../../players?player={player}", 303)


@blueprint.app_template_filter("moment")
def moment(unix_ms: int) -> str:
    """Format unix ms for people, in UTC."""
    return f"{datetime.fromtimestamp(unix_ms / 1000, UTC):%Y-%m-%d %H:%M}"
