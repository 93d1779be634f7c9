/** The side panel: players, log, chat, and actions on the whole game. */
import { unwrap } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { GameEvent } from "../rulesets/base/events";
import type { SeatClaiming } from "../game/local_seats";
import { isActive, requestOf, type PlayingProps, type ViewingProps } from "../game/players";
import { Confirmation } from "../parts/design/dialog";
import { Animation } from "../review/animation";
import { decisionAt, Review, type ReviewState } from "../review/review";
import { usePageContext } from "../shared/context";
import { Legend } from "./legend";
import { ExportCard, Log, Messages, Offers, Share } from "./panels";
import { PreferencesCard } from "./preferences";
import { RatingChanges } from "./ratings";
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

/** Beside the picture, the result of a finished game is a tab in the place of the other parts, so that nothing moves. */
export function SidePanel({
  events,
  viewedRevision,
  viewRevision,
  steps,
  review,
  result,
  isBeside,
  ...gameProps
}: PlayingProps &
  SeatClaiming &
  ViewedGame & {
    /** The result of the game, or null. */
    result: ComponentChildren;
    /** Whether the panel is beside the picture. */
    isBeside: boolean;
  }) {
  const { words } = usePageContext();
  const { game } = gameProps;
  const [tab, openTab] = useState<"result" | "game">("result");
  const hasTabs = isBeside && game.outcome !== null;
  const button = (each: typeof tab, name: string) => (
    <button aria-pressed={tab === each} onClick={() => openTab(each)}>
      {name}
    </button>
  );
  return (
    <aside>
      {hasTabs && (
        <div class="views" role="group" aria-label={words.view}>
          {button("result", words.scoring.open)}
          {button("game", words.scoring.game)}
        </div>
      )}
      {game.outcome && (
        <div class="panel" hidden={hasTabs && tab !== "result"}>
          {result}
          {game.rated && <RatingChanges client={gameProps.client} game={game} />}
          <Animation client={gameProps.client} game={game} />
          <Review
            {...gameProps}
            review={review}
            viewRevision={viewRevision}
            shown={decisionAt(review.decisions, steps, viewedRevision ?? game.revision)}
            showDecision={({ revision }) => viewRevision(steps.findLast((step) => step < revision) ?? null)}
          />
        </div>
      )}
      <div class="panel" hidden={hasTabs && tab !== "game"}>
        <Seats {...gameProps} />
        <Offers {...gameProps} />
        <Tools {...gameProps} />
        <Legend ruleset={game.ruleset} />
        {game.status !== "open" && <Share game={game} />}
        {game.status !== "open" && <ExportCard {...gameProps} />}
        <Log game={game} events={events} viewRevision={viewRevision} />
        <Messages {...gameProps} />
        <PreferencesCard />
      </div>
    </aside>
  );
}

/** Buttons for takeback and resignation. Their place stays while the last points are counted. */
export function Tools({ client, game, seats, reportErrors }: PlayingProps) {
  const { words } = usePageContext();
  const [isConfirming, setIsConfirming] = useState(false);
  const active = seats.filter((seat) => isActive(game, seat));
  const seat = active.find((each) => each === game.to_decide) ?? active[0];
  const isCounting = game.status === "finished" && game.outcome === null;
  if (!(game.status === "playing" || isCounting) || seat === undefined) return null;
  const request = requestOf(game, seat);
  /** Ask for a takeback. A player with all seats is not asked for consent. */
  const takeBack = async () => {
    let latest = unwrap(await client.POST("/v1/games/{game_id}/takebacks", request)).game;
    const offer = latest.offers.find(({ kind, seat: by }) => kind === "takeback" && by === seat);
    for (const awaited of offer?.awaiting.filter((each) => active.includes(each)) ?? []) {
      const { params, headers, body } = requestOf(latest, awaited);
      const answer = await client.POST("/v1/games/{game_id}/offers/{offer}/answer", {
        params: { path: { ...params.path, offer: offer?.id as number } },
        headers,
        body: { ...body, accept: true },
      });
      latest = unwrap(answer).game;
    }
  };
  return (
    <div class={isCounting ? "tools held" : "tools"}>
      {!game.rated && !game.competition && <button onClick={() => reportErrors(takeBack())}>{words.undo}</button>}
      <button onClick={() => setIsConfirming(true)}>{words.resign}</button>
      {isConfirming && (
        <Confirmation
          title={words.resignSure}
          yes={words.resign}
          confirm={() => {
            setIsConfirming(false);
            reportErrors(client.POST("/v1/games/{game_id}/resignation", request).then(unwrap));
          }}
          close={() => setIsConfirming(false)}
        />
      )}
    </div>
  );
}
