/** The side panel: players, log, chat, and actions on the whole game. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import type { Game } from "../game/live";
import type { GameEvent } from "../rulesets/base/events";
import type { SeatClaiming } from "../game/local_seats";
import { isActive, type PlayingProps, type ViewingProps } from "../game/players";
import { Animation } from "../review/animation";
import { decisionAt, Review, type ReviewState } from "../review/review";
import { bearerHeader } from "../shared/client";
import { usePageContext } from "../shared/context";
import { storedGame, storeTokens } from "../shared/store";
import { Legend } from "./legend";
import { ExportCard, Log, Messages, Offers, Share } from "./panels";
import { PreferencesCard } from "./preferences";
import { RatingChanges } from "./ratings";
import { ScoreSheet } from "./scores/sheet";
import { Seats } from "./seats";

/** A game with its log, its review and the viewed position. */
export interface ViewedGame extends ViewingProps {
  events: readonly GameEvent[];
  /** The viewed revision, or null for the current one. */
  viewedRevision: number | null;
  /** The revisions at which the board changed. */
  steps: readonly number[];
  review: ReviewState;
}

export function SidePanel({
  events,
  viewedRevision,
  viewRevision,
  seenRevision,
  steps,
  review,
  ...gameProps
}: PlayingProps &
  SeatClaiming &
  ViewedGame & {
    /** The newest revision that the table has shown. */
    seenRevision: number;
  }) {
  const { game } = gameProps;
  const showsSheet = game.outcome !== null && seenRevision >= game.revision;
  return (
    <aside>
      {showsSheet && (
        <ScoreSheet game={game} events={events} seats={gameProps.seats}>
          <Tools {...gameProps} />
        </ScoreSheet>
      )}
      {game.outcome && <Animation client={gameProps.client} game={game} />}
      <Seats {...gameProps} />
      {game.rated && game.status === "finished" && <RatingChanges client={gameProps.client} game={game} />}
      <Offers {...gameProps} />
      {game.outcome && (
        <Review
          {...gameProps}
          review={review}
          shown={decisionAt(review.decisions, steps, viewedRevision ?? game.revision)}
          showDecision={({ revision }) => viewRevision(steps.findLast((step) => step < revision) ?? null)}
        />
      )}
      {!showsSheet && <Tools {...gameProps} />}
      <Legend ruleset={game.ruleset} />
      {game.status !== "open" && <Share game={game} />}
      {game.status !== "open" && <ExportCard {...gameProps} />}
      <Log game={game} events={events} viewRevision={viewRevision} />
      <Messages {...gameProps} />
      <PreferencesCard />
    </aside>
  );
}

/** Buttons for takeback, resignation and rematch. */
function Tools({ client, game, seats, reportErrors }: PlayingProps) {
  const { words } = usePageContext();
  const [isConfirming, setIsConfirming] = useState(false);
  if (seats.length === 0) return null;
  const active = seats.filter((seat) => isActive(game, seat));
  const seat = active.find((each) => each === game.to_decide) ?? active[0] ?? (seats[0] as number);
  const headers = bearerHeader(storedGame(game.id).seats[seat]);
  const common = { params: { path: { game_id: game.id } }, headers, body: { revision: game.revision } };
  if (game.status === "finished") {
    return (
      <div class="tools">
        {game.rematch ? (
          <button class="primary" onClick={() => openRematch(game)}>
            {words.toRematch}
          </button>
        ) : (
          <button
            class="primary"
            onClick={() => reportErrors(client.POST("/v1/games/{game_id}/rematch", common).then(unwrap))}
          >
            {words.rematch}
          </button>
        )}
      </div>
    );
  }
  if (game.status !== "playing" || active.length === 0) return null;
  return (
    <div class="tools">
      {!game.rated && !game.competition && (
        <button onClick={() => reportErrors(client.POST("/v1/games/{game_id}/takebacks", common).then(unwrap))}>
          {words.undo}
        </button>
      )}
      {isConfirming ? (
        <span class="sure" role="group" aria-label={words.resignSure}>
          {words.resignSure}
          <button
            onClick={() => {
              setIsConfirming(false);
              reportErrors(client.POST("/v1/games/{game_id}/resignation", common).then(unwrap));
            }}
          >
            {words.yes}
          </button>
          <button onClick={() => setIsConfirming(false)}>{words.no}</button>
        </span>
      ) : (
        <button onClick={() => setIsConfirming(true)}>{words.resign}</button>
      )}
    </div>
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
