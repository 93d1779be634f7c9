/** What stands beside the table: people, words, and what can be done with the game as a whole. */
import { unwrap } from "azul-games-client";
import { useState } from "preact/hooks";
import type { Event, Game } from "../game/live";
import type { SeatClaiming } from "../game/local_seats";
import { isActive, type ViewingProps, type PlayingProps } from "../game/players";
import { Animation } from "../review/animation";
import { judgedAt, Review, type Reviewing } from "../review/review";
import { bearerHeader } from "../shared/client";
import { usePageContext } from "../shared/context";
import { storeTokens, storedGame } from "../shared/store";
import { Explained } from "./legend";
import { AsText, Log, Messages, Offers, Share } from "./panels";
import { MannerCard } from "./preferences";
import { RatingChanges } from "./ratings";
import { ScoreSheet } from "./scores/sheet";
import { Seats } from "./seats";

/** A game as the page has it: what happened in it, how that is judged, and the position that is looked at. */
export interface Followed extends ViewingProps {
  events: readonly Event[];
  /** The revision that is looked at; null: the present one. */
  wanted: number | null;
  /** The revisions at which something changed on the board. */
  steps: readonly number[];
  reviewing: Reviewing;
}

export function Beside({
  events,
  wanted,
  viewRevision,
  seen,
  steps,
  reviewing,
  ...playing
}: PlayingProps &
  SeatClaiming &
  Followed & {
    /** The newest revision that the table has shown. */
    seen: number;
  }) {
  const { game } = playing;
  const sheet = game.outcome !== null && seen >= game.revision;
  return (
    <aside>
      {sheet && (
        <ScoreSheet game={game} events={events} seats={playing.seats}>
          <Tools {...playing} />
        </ScoreSheet>
      )}
      {game.outcome && <Animation client={playing.client} game={game} />}
      <Seats {...playing} />
      {game.rated && game.status === "finished" && <RatingChanges client={playing.client} game={game} />}
      <Offers {...playing} />
      {game.outcome && (
        <Review
          {...playing}
          reviewing={reviewing}
          shown={judgedAt(reviewing.decisions, steps, wanted ?? game.revision)}
          show={({ revision }) => viewRevision(steps.findLast((step) => step < revision) ?? null)}
        />
      )}
      {!sheet && <Tools {...playing} />}
      <Explained ruleset={game.ruleset} />
      {game.status !== "open" && <Share game={game} />}
      {game.status !== "open" && <AsText {...playing} />}
      <Log game={game} events={events} viewRevision={viewRevision} />
      <Messages {...playing} />
      <MannerCard />
    </aside>
  );
}

/** Take back, resign, play again. */
function Tools({ client, game, seats, reportErrors }: PlayingProps) {
  const { words } = usePageContext();
  const [sure, setSure] = useState(false);
  if (seats.length === 0) return null;
  const active = seats.filter((seat) => isActive(game, seat));
  const seat = active.find((each) => each === game.to_decide) ?? active[0] ?? (seats[0] as number);
  const headers = bearerHeader(storedGame(game.id).seats[seat]);
  const common = { params: { path: { game_id: game.id } }, headers, body: { revision: game.revision } };
  const asked = async (ask: Promise<{ response: Response; data?: unknown; error?: unknown }>) => unwrap(await ask);
  if (game.status === "finished") {
    return (
      <div class="tools">
        {game.rematch ? (
          <button class="primary" onClick={() => follow(game)}>
            {words.toRematch}
          </button>
        ) : (
          <button
            class="primary"
            onClick={() => reportErrors(asked(client.POST("/v1/games/{game_id}/rematch", common)))}
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
      {!game.rated && (
        <button onClick={() => reportErrors(asked(client.POST("/v1/games/{game_id}/takebacks", common)))}>
          {words.undo}
        </button>
      )}
      {sure ? (
        <span class="sure" role="group" aria-label={words.resignSure}>
          {words.resignSure}
          <button
            onClick={() => {
              setSure(false);
              reportErrors(asked(client.POST("/v1/games/{game_id}/resignation", common)));
            }}
          >
            {words.yes}
          </button>
          <button onClick={() => setSure(false)}>{words.no}</button>
        </span>
      ) : (
        <button onClick={() => setSure(true)}>{words.resign}</button>
      )}
    </div>
  );
}

/** To the rematch, where the same tokens hold. */
function follow(game: Game): void {
  const { seats, host, invite, watch } = storedGame(game.id);
  if (!game.rematch) return;
  storeTokens(
    { ...game, id: game.rematch, revision: 0 },
    seats,
    Object.fromEntries(Object.entries({ host, invite, watch }).filter(([, token]) => token)),
  );
  location.hash = `#/${game.rematch}`;
}
