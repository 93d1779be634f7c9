/** The puzzle of the day. */
import { unwrap } from "@azul-games/client";
import { rulesetTexts } from "../rulesets/registry";
import { useClient, usePageContext } from "../shared/context";
import { useLoaded } from "../shared/fetching";
import { links } from "../shared/route";
import { BoardPicture } from "./board_picture";

/** A card that keeps its place until the puzzle is loaded, and disappears if there is none. */
export function DailyPuzzle() {
  const { words } = usePageContext();
  const { puzzles } = words;
  const client = useClient(null);
  const { value: daily, error } = useLoaded(async () => unwrap(await client.GET("/v1/puzzles/daily")), [client]);
  if (error !== null) return null;
  return (
    <section class="part" aria-labelledby="daily-puzzle">
      <h2 id="daily-puzzle">{puzzles.daily}</h2>
      <ul class="daily">
        <li class="card game-card">
          <BoardPicture
            version={daily?.date ?? ""}
            fetchSvg={(client, query) =>
              client.GET("/v1/puzzles/daily/board.svg", { params: { query }, parseAs: "text" }).then(unwrap)
            }
          />
          <div>
            <a href={links.puzzle("daily")}>{puzzles.find}</a>
            <p class="note">{daily ? rulesetTexts(daily.puzzle.ruleset, words).name : "…"}</p>
            <p class="turn">{daily ? puzzles.solvedBy(daily.solved, daily.attempts) : "…"}</p>
          </div>
        </li>
      </ul>
    </section>
  );
}
