"""Independent Redis commands in one round trip, and the conversion of replies to text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from redis import Redis, RedisCluster
from redis.exceptions import ResponseError

from service.storage.base.connect import translate_cluster_errors

Answer = TypeVar("Answer")
Command = Sequence[Any]


class Question(Generic[Answer]):
    """Commands, and a function that turns their replies into an answer."""

    def __init__(self, commands: Sequence[Command], read: Callable[[list[Any]], Answer]) -> None:
        """`read` gets the replies. The reply of a failed command is an exception."""
        self.commands = commands
        self.read = read
        self.is_asked = False
        self.answer: Answer
        """The result of `read`. Raises `AttributeError` before the replies have arrived."""

    def take(self, replies: list[Any]) -> None:
        """Compute the answer from the replies."""
        self.is_asked = True
        self.answer = self.read(replies)


def single_command(command: Command) -> Question[Any]:
    """Return a question whose answer is the reply of one command."""
    return Question((command,), lambda replies: raise_errors(replies)[0])


def ask(redis: Redis, question: Question[Answer], *along: Question[Any]) -> Answer:
    """Send `question` and the others that were not asked before in one round trip. Return the answer to `question`.

    Raises the errors of every `read`. `question` is read last, so that a caller without permission gets no answer.
    """
    questions = [*(other for other in along if not other.is_asked), question]
    replies = _replies(redis, [command for each in questions for command in each.commands])
    for each in questions:
        each.take(replies[: len(each.commands)])
        del replies[: len(each.commands)]
    return question.answer


def ask_all(redis: Redis, commands: Iterable[Command]) -> list[Any]:
    """Send commands in one round trip and return their replies. They may use several slots, and are not atomic.

    Raises the first error.
    """
    return ask(redis, Question([*commands], raise_errors))


def _replies(redis: Redis, commands: Sequence[Command]) -> list[Any]:
    """Return a reply for each command, parsed by redis-py, or an exception if the command failed."""
    client: Any = redis
    if not commands:
        return []
    if isinstance(client, RedisCluster):
        return _cluster_replies(redis, commands)
    pool = client.connection_pool
    connection = pool.get_connection()
    try:
        replies: list[Any] = connection.retry.call_with_retry(
            lambda: _send(connection, commands), lambda _: connection.disconnect()
        )
    except BaseException:  # a reply may not have been read
        connection.disconnect()
        raise
    finally:
        pool.release(connection)
    return [_parse(client, command, reply) for command, reply in zip(commands, replies, strict=True)]


def _parse(client: Any, command: Command, reply: Any) -> Any:
    parse = client.response_callbacks.get(command[0])
    return reply if parse is None or isinstance(reply, Exception) else parse(reply, **_options(command))


def _options(command: Command) -> dict[str, bool]:
    """Return the options that redis-py needs to parse the reply."""
    return {"withscores": True} if "WITHSCORES" in command else {}


def _send(connection: Any, commands: Sequence[Command]) -> list[Any]:
    """Send commands over one connection, without redis-py's pipeline, which takes longer than the round trip."""
    connection.send_packed_command(connection.pack_commands(commands))
    replies = list[Any]()
    for _ in commands:
        try:
            replies.append(connection.read_response())
        except ResponseError as error:
            replies.append(error)
    return replies


def _cluster_replies(redis: Redis, commands: Sequence[Command]) -> list[Any]:
    if len(commands) == 1:  # a pipeline of one costs more than its command
        try:
            return [redis.execute_command(*commands[0], **_options(commands[0]))]  # type: ignore[no-untyped-call]  # redis ships half its types
        except ResponseError as error:
            return [error]
    pipeline = redis.pipeline(transaction=False)
    for command in commands:
        pipeline.execute_command(*command, **_options(command))  # type: ignore[no-untyped-call]
    with translate_cluster_errors(redis):
        return pipeline.execute(raise_on_error=False)


def raise_errors(replies: list[Any]) -> list[Any]:
    """Return the replies. Raise the first that is an exception."""
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


def decode(reply: Any) -> str | None:
    """Return a reply as text, or None if it is null."""
    return None if reply is None else reply.decode()


def decode_all(reply: Iterable[Any]) -> list[str]:
    """Return the members of a reply as texts."""
    return [member.decode() for member in reply]


def decode_fields(reply: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the fields of a hash with their names as texts, sorted by name."""
    return {name.decode(): value for name, value in sorted(reply.items())}
