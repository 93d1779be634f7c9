/**
 * The result of a game: who won, where it was decided, the places, what to do next, and the score sheet. On a narrow
 * page it covers the picture until it is closed, so that nothing moves when it appears. Then it is below the table.
 * Beside the picture, it is a tab of the side panel.
 */
import { unwrap } from "@azul-games/client";
import { Star, X } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Avatar } from "../parts/player_link";
import type { Game } from "../game/live";
import { nameOf, type PlayingProps, requestOf, winnersOf } from "../game/players";
import { Icon } from "../parts/design/icon";
import { useCopy } from "../parts/sharing";
import type { ReviewState } from "../review/review";
import type { GameEvent } from "../rulesets/base/events";
import { rulesetTexts } from "../rulesets/registry";
import { usePageContext } from "../shared/context";
import { useKeys } from "../shared/keys";
import { storedGame, storeTokens } from "../shared/store";
import type { Words } from "../shared/words";
import type { Losers } from "../shared/words/en/scoring";
import { scoreHistory } from "./scores/score_history";
import { ScoreSheet } from "./scores/sheet";
import { turningPoint } from "./scores/turning_point";

/** Return the winners and the margin in words. */
function verdictOf(game: Game, ownSeats: readonly number[], words: Words): { wins: string; how: string } {
  const { scoring } = words;
  const seats = game.outcome?.seats ?? [];
  const winners = winnersOf(game);
  const wins = scoring.wins(winners.map((seat) => nameOf(game, seat, words)));
  const reason = scoring.reasons[game.outcome?.reason ?? ""];
  if (reason) return { wins, how: reason(losersOf(game, ownSeats, words)) };
  if (winners.length > 1) return { wins, how: scoring.shared };
  const others = seats.filter(({ won }) => !won).map(({ score }) => score);
  const margin = (seats[winners[0] ?? 0]?.score ?? 0) - Math.max(0, ...others);
  return { wins, how: margin > 0 ? scoring.winBy(margin) : scoring.level };
}

/** Return the losers from the point of view of this browser's seats. */
function losersOf(game: Game, ownSeats: readonly number[], words: Words): Losers {
  const winners = winnersOf(game);
  const [loser, ...others] = game.seats.map((_, seat) => seat).filter((seat) => !winners.includes(seat));
  if (loser === undefined || others.length) return "others";
  if (ownSeats.length !== 1) return { name: nameOf(game, loser, words) };
  return ownSeats[0] === loser ? "you" : "opponent";
}

/** Return the seats from the first place to the last. */
const rankedSeats = ({ outcome }: Game) =>
  (outcome?.seats ?? [])
    .map((result, seat) => ({ ...result, seat }))
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));

export function Result({
  events,
  review,
  isOpen,
  isNew,
  close,
  ...playing
}: PlayingProps & {
  events: readonly GameEvent[];
  review: ReviewState;
  /** Whether the result covers the picture of a narrow page. */
  isOpen: boolean;
  /** Whether the game has ended on this page. */
  isNew: boolean;
  close: () => void;
}) {
  const { game, seats } = playing;
  const { words, settings } = usePageContext();
  const { wins, how } = verdictOf(game, seats, words);
  const history = useMemo(() => scoreHistory(events, game), [events, game]);
  const decided = turningPoint(game, history, words);
  useKeys(({ key }) => {
    if (isOpen && key === "Escape") close();
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost = activeElement === body || (isOpen && !!activeElement?.matches(".table :focus-visible"));
    if (isNew && isLost) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section class="card sheet" data-open={isOpen} data-still={!settings.motion} aria-label={words.scoring.open}>
      <header>
        <h2 class="verdict" tabIndex={-1} ref={heading}>
          <b>
            <Icon icon={Star} /> {wins}
          </b>{" "}
          {how}
        </h2>
        {isOpen && (
          <button class="quiet close" aria-label={words.scoring.close} onClick={close}>
            <Icon icon={X} />
          </button>
        )}
      </header>
      {decided && <p class="decided">{decided}</p>}
      <ol class="places">
        {rankedSeats(game).map(({ seat, rank, score, won }) => (
          <li key={seat} data-won={won} data-seat-colour={seat}>
            {rank}. <Avatar name={nameOf(game, seat, words)} seat={seat} />{" "}
            <span class="name">{nameOf(game, seat, words)}</span> <b>{words.points(score)}</b>
          </li>
        ))}
      </ol>
      <div class="tools">
        {seats.length > 0 && <Rematch {...playing} />}
        <ReviewButton {...playing} review={review} close={close} />
        <ShareResult game={game} />
      </div>
      <ScoreSheet game={game} history={history} />
    </section>
  );
}

function Rematch({ client, game, seats, reportErrors }: PlayingProps) {
  const { words } = usePageContext();
  const offer = () => client.POST("/v1/games/{game_id}/rematch", requestOf(game, seats[0] as number)).then(unwrap);
  if (game.status !== "finished") return null;
  return (
    <button class="primary" onClick={() => (game.rematch ? openRematch(game) : reportErrors(offer()))}>
      {game.rematch ? words.toRematch : words.rematch}
    </button>
  );
}

/** Open the rematch. The same tokens are valid there. */
function openRematch(game: Game): void {
  const { seats, host, invite, watch } = storedGame(game.id);
  if (!game.rematch) return;
  storeTokens(
    { ...game, id: game.rematch, revision: 0 },
    seats,
    Object.fromEntries(Object.entries({ host, invite, watch }).filter(([, token]) => token)),
  );
  location.hash = `#/${game.rematch}`;
}

/** A button that requests the review if there is none, and scrolls to it. */
function ReviewButton({
  reportErrors,
  review,
  close,
}: Pick<PlayingProps, "reportErrors"> & { review: ReviewState; close: () => void }) {
  const { words } = usePageContext();
  const [clicks, setClicks] = useState(0);
  const exists = review.analysis !== null;
  useEffect(() => {
    if (clicks && exists) document.getElementById("review")?.scrollIntoView({ block: "nearest" });
  }, [clicks, exists]);
  const open = () => {
    setClicks(clicks + 1);
    close();
    if (!exists) reportErrors(review.requestReview());
  };
  return <button onClick={open}>{words.review}</button>;
}

/** A button that shares the result in one line, with a link for watching if there is one. */
function ShareResult({ game }: { game: Game }) {
  const { words } = usePageContext();
  const copy = useCopy();
  const share = async () => {
    const places = rankedSeats(game).map(({ seat, score }) => `${nameOf(game, seat, words)} ${score}`);
    const text = `${rulesetTexts(game.ruleset, words).name}: ${places.join(" · ")}`;
    const { watch } = storedGame(game.id);
    const query = watch ? `?${new URLSearchParams({ watch })}` : "";
    const url = `${location.href.split("#")[0]}#/${game.id}${query}`;
    if (navigator.share) await navigator.share({ text, url }).catch(() => undefined);
    else await copy(`${text}\n${url}`);
  };
  return <button onClick={share}>{words.scoring.share}</button>;
}
