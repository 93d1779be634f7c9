"""Several questions to Redis in one exchange, where none hangs on the answer to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from redis import Redis, RedisCluster
from redis.exceptions import ResponseError

from service.storage.base.connect import away

Answer = TypeVar("Answer")
Command = Sequence[Any]


class Question(Generic[Answer]):
    """Commands, and what their replies mean."""

    def __init__(self, commands: Sequence[Command], read: Callable[[list[Any]], Answer]) -> None:
        """`read` gets the replies, an exception where a command failed."""
        self.commands = commands
        self.read = read
        self.is_asked = False
        self.answer: Answer
        """What `read` made of the replies; AttributeError before."""

    def take(self, replies: list[Any]) -> None:
        """The replies have come."""
        self.is_asked = True
        self.answer = self.read(replies)


def one(command: Command) -> Question[Any]:
    """A command, whose reply is the answer."""
    return Question((command,), lambda replies: good(replies)[0])


def ask(redis: Redis, question: Question[Answer], *along: Question[Any]) -> Answer:
    """Ask all that have not been asked yet, in one exchange; the answer to the first.

    Raises what a `read` raises, that of the first last, so that nothing is answered to one who may not ask.
    """
    asked = [*(other for other in along if not other.is_asked), question]
    replies = _replies(redis, [command for each in asked for command in each.commands])
    for each in asked:
        each.take(replies[: len(each.commands)])
        del replies[: len(each.commands)]
    return question.answer


def ask_all(redis: Redis, commands: Iterable[Command]) -> list[Any]:
    """Send commands in one round trip; return their replies. They may be of several slots, and are not atomic.

    Raises the first error.
    """
    return ask(redis, Question([*commands], good))


def _replies(redis: Redis, commands: Sequence[Command]) -> list[Any]:
    """One for each command, as redis-py parses it, or an exception where it failed."""
    client: Any = redis
    if not commands:
        return []
    if isinstance(client, RedisCluster):
        return _cluster_replies(redis, commands)
    pool = client.connection_pool
    connection = pool.get_connection()
    try:
        replies: list[Any] = connection.retry.call_with_retry(
            lambda: _exchanged(connection, commands), lambda _: connection.disconnect()
        )
    except BaseException:  # a reply may not have been read
        connection.disconnect()
        raise
    finally:
        pool.release(connection)
    return [_parsed(client, command, reply) for command, reply in zip(commands, replies, strict=True)]


def _parsed(client: Any, command: Command, reply: Any) -> Any:
    parse = client.response_callbacks.get(command[0])
    return reply if parse is None or isinstance(reply, Exception) else parse(reply, **_options(command))


def _options(command: Command) -> dict[str, bool]:
    """What redis-py has to know to parse the reply."""
    return {"withscores": True} if "WITHSCORES" in command else {}


def _exchanged(connection: Any, commands: Sequence[Command]) -> list[Any]:
    """Over one connection, without redis-py's pipeline, which takes longer than the exchange itself."""
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
    with away(redis):
        return pipeline.execute(raise_on_error=False)


def good(replies: list[Any]) -> list[Any]:
    """The replies; raises the first that is an exception."""
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies
