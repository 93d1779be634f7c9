/** Cards of the side panel: offers, sharing, log and chat. */
import { ProblemError, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ReportButton } from "../moderation/report_button";
import { Avatar, isolateName } from "../parts/player_link";
import { arrivals, type Game } from "../game/live";
import type { GameEvent } from "../rulesets/base/events";
import { isSeated, nameOf, type PlayingProps, textAfterSeat, type ViewingProps } from "../game/players";
import { ShareLink, useCopy } from "../parts/sharing";
import { ImposedNote, useImposed } from "../parts/standing";
import { moveText } from "../rulesets/log";
import { rulesetTexts } from "../rulesets/registry";
import { LONG_POLL_S, pauseBeforeRetry } from "../shared/requests";
import { bearerHeader } from "../shared/client";
import { usePageContext } from "../shared/context";
import { onSubmit } from "../shared/fetching";
import { storedGame } from "../shared/store";
import type { Words } from "../shared/words";
import { scoreHistory } from "./scores/score_history";
import { ImmediatePoints, Scorings } from "./scores/scorings";

/** Open offers, with buttons to answer or withdraw them. */
export function Offers({ client, game, seats, reportErrors }: PlayingProps) {
  const { words } = usePageContext();
  const answer = async (offer: Schemas["Offer"], seat: number, accept: boolean) => {
    const params = { path: { game_id: game.id, offer: offer.id } };
    const headers = bearerHeader(storedGame(game.id).seats[seat]);
    unwrap(
      await client.POST("/v1/games/{game_id}/offers/{offer}/answer", {
        params,
        headers,
        body: { accept, revision: game.revision },
      }),
    );
  };
  return (
    <>
      {game.offers.map((offer) => {
        const answeringSeat = offer.awaiting.find((seat) => seats.includes(seat));
        const isOurs = seats.includes(offer.seat);
        return (
          <div class="card offer" key={offer.id} role="status">
            <p>
              {isOurs && answeringSeat === undefined
                ? words.offered
                : words.offers[offer.kind](nameOf(game, offer.seat, words))}
            </p>
            {answeringSeat !== undefined && (
              <>
                <button class="primary" onClick={() => reportErrors(answer(offer, answeringSeat, true))}>
                  {words.agree}
                </button>
                <button onClick={() => reportErrors(answer(offer, answeringSeat, false))}>{words.decline}</button>
              </>
            )}
            {isOurs && answeringSeat === undefined && (
              <button onClick={() => reportErrors(answer(offer, offer.seat, false))}>{words.withdraw}</button>
            )}
          </div>
        );
      })}
    </>
  );
}

/** The game or its position as text, which the form for a new game accepts. */
export function ExportCard({ client, game, reportErrors }: PlayingProps) {
  const { words } = usePageContext();
  const copy = useCopy();
  const copyGame = async () => {
    const params = { path: { game_id: game.id }, query: { format: "text" as const } };
    await copy(unwrap(await client.GET("/v1/games/{game_id}/export", { params, parseAs: "text" })) as string);
  };
  const copyPosition = async (position: Schemas["Position"]) =>
    copy(unwrap(await client.POST("/v1/positions", { body: { position } })).notation);
  const { position } = game;
  return (
    <details class="card">
      <summary>{words.asText}</summary>
      <div class="tools">
        {position && <button onClick={() => reportErrors(copyPosition(position))}>{words.copyPosition}</button>}
        <button onClick={() => reportErrors(copyGame())}>{words.copyGame}</button>
      </div>
    </details>
  );
}

/** Links to take a seat or to watch. */
export function Share({ game }: { game: Game }) {
  const { words } = usePageContext();
  const { sharing } = words;
  const { invite, watch } = storedGame(game.id);
  const name = rulesetTexts(game.ruleset, words).name;
  const free = game.seats.filter(({ kind }) => kind === "open").length;
  const link = (name: string, token: string) =>
    `${location.href.split("#")[0]}#/${game.id}?${new URLSearchParams({ [name]: token })}`;
  if (!invite && !watch) return null;
  return (
    <details class={game.status === "open" ? "" : "card"} open={game.status === "open"}>
      <summary>{words.share}</summary>
      {invite && game.status === "open" && (
        <>
          <p>{free ? sharing.inviteMany(free) : sharing.invite}</p>
          <ShareLink name={sharing.inviteLink} url={link("invite", invite)} text={sharing.inviteText(name)} />
        </>
      )}
      {watch && (
        <ShareLink name={sharing.watchLink} url={link("watch", watch)} text={sharing.watchText(name)} isSecondary />
      )}
    </details>
  );
}

/** Return the name of the player who had a seat at a revision. */
function nameAt(game: Game, events: readonly GameEvent[], seat: number, revision: number, words: Words): string {
  const all = arrivals(events, seat);
  const before = all.filter((arrival) => arrival.revision <= revision);
  if (before.length === all.length) return nameOf(game, seat, words);
  return isolateName(before.at(-1)?.name ?? words.seat(seat));
}

/** All events in words. A click shows the table at that revision. */
export function Log({ game, events, viewRevision }: ViewingProps & { game: Game; events: readonly GameEvent[] }) {
  const { words } = usePageContext();
  const list = useRef<HTMLOListElement>(null);
  const roundScores = useMemo(() => scoreHistory(events, game).slice(1), [events, game]);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [events.length]);
  return (
    <section class="card log">
      <h2>{words.log}</h2>
      <ol ref={list} tabIndex={0} aria-label={words.log}>
        {events.map((event) => {
          const { revision, kind, text, seat, at } = event;
          const move = moveText(event, words, game.variant);
          const content = (
            <>
              {seat === null || kind === "join" ? (
                text
              ) : (
                <>
                  <b>{nameAt(game, events, seat, revision, words)}</b>
                  {move === null ? textAfterSeat(text, seat, words) : ` ${move}`}
                </>
              )}
              <ImmediatePoints event={event} />
            </>
          );
          return (
            <li key={revision} data-revision={revision}>
              {game.position === null ? (
                <p class="entry">{content}</p>
              ) : (
                <button class="quiet entry" onClick={() => viewRevision(revision === game.revision ? null : revision)}>
                  {content}
                </button>
              )}
              <Scorings
                event={event}
                variant={game.variant}
                history={roundScores}
                name={(each) => nameAt(game, events, each, revision, words)}
              />
              <time dateTime={at} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Return the messages that no moderator has deleted, with the notices of deletions. */
export function shownMessages(messages: readonly Schemas["Message"][]): Schemas["Message"][] {
  const deleted = new Set(messages.map((message) => message.deletes));
  return messages.filter(({ number }) => !deleted.has(number));
}

export function Messages({ client, game, seats, reportErrors }: PlayingProps) {
  const { words, me } = usePageContext();
  const mutedUntil = useImposed("muted_until");
  const [messages, setMessages] = useState<readonly Schemas["Message"][]>([]);
  const [text, setText] = useState("");
  const token = Object.values(storedGame(game.id).seats)[0] ?? storedGame(game.id).host;
  useEffect(() => {
    if (!token) return;
    setMessages([]);
    const controller = new AbortController();
    const listen = async () => {
      let after = 0;
      while (!controller.signal.aborted) {
        const params = { path: { game_id: game.id }, query: { after, wait: LONG_POLL_S } };
        const answer = await client
          .GET("/v1/games/{game_id}/messages", { params, headers: bearerHeader(token), signal: controller.signal })
          .catch(() => null);
        if (!answer?.data) {
          await pauseBeforeRetry();
          continue;
        }
        const newMessages = answer.data.messages;
        after = newMessages.at(-1)?.number ?? after;
        if (newMessages.length) setMessages((before) => [...before, ...newMessages]);
      }
    };
    listen();
    return () => controller.abort();
  }, [client, game.id, token]);
  if (!token) return null;
  const sendMessage = async (text: string) => {
    const body = { text, ...(seats.length ? { seat: seats[0] ?? null } : {}) };
    const params = { path: { game_id: game.id } };
    try {
      unwrap(await client.POST("/v1/games/{game_id}/messages", { params, headers: bearerHeader(token), body }));
    } catch (error) {
      if (error instanceof ProblemError && error.code === "player/muted") me.reload();
      throw error;
    }
  };
  const submit = () => sendMessage(text.trim()).then(() => setText(""));
  return (
    <section class="card messages">
      <h2>{words.messages}</h2>
      {messages.length === 0 && <p class="note">{words.nothingYet}</p>}
      <ol>
        {shownMessages(messages).map((message) =>
          message.deletes ? (
            <li key={message.number} class="note">
              {words.moderation.deleted}
            </li>
          ) : (
            <MessageEntry key={message.number} message={message} game={game} seats={seats} />
          ),
        )}
      </ol>
      {mutedUntil ? (
        <ImposedNote kind="muted" until={mutedUntil} />
      ) : (
        <>
          <div class="phrases">
            {words.phrases.map((phrase) => (
              <button key={phrase} onClick={() => reportErrors(sendMessage(phrase))}>
                {phrase}
              </button>
            ))}
          </div>
          <form onSubmit={onSubmit(() => text.trim() && reportErrors(submit()))}>
            <input
              aria-label={words.say}
              placeholder={words.say}
              dir="auto"
              maxLength={1000} // 500 characters; a browser counts an emoji as two
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            <button>{words.send}</button>
          </form>
        </>
      )}
    </section>
  );
}

/** A message. Players of the game can report those of others. */
function MessageEntry({
  message: { number, seat, text },
  game,
  seats,
}: Pick<PlayingProps, "game" | "seats"> & { message: Schemas["Message"] }) {
  const { words, me } = usePageContext();
  const isOwn = seat === null ? !!storedGame(game.id).host : seats.includes(seat);
  return (
    <li>
      <span>
        {seat !== null && <Avatar name={nameOf(game, seat, words)} seat={seat} />}{" "}
        <b>{seat === null ? words.host : nameOf(game, seat, words)}:</b> <bdi>{text}</bdi>
      </span>
      {!isOwn && isSeated(game, me.id) && (
        <ReportButton sign choices={[{ type: "message", game_id: game.id, message: number, name: text }]} />
      )}
    </li>
  );
}
