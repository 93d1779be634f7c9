/** Who plays, how they stand, and how long they have. */
import { useEffect, useState } from "preact/hooks";
import { useAround } from "./context";
import { nameOf } from "./game";
import type { Game } from "./live";

export function Seats({ game, mine }: { game: Game; mine: readonly number[] }) {
  const { words } = useAround();
  return (
    <ol class="seats card">
      {game.seats.map(({ score, status }, seat) => {
        const outcome = game.outcome?.seats[seat];
        return (
          <li key={seat} data-deciding={game.to_decide === seat} data-status={status}>
            <span class="name">
              {nameOf(game, seat, words)}
              {mine.includes(seat) && <small> ({words.you})</small>}
            </span>
            {game.clock && game.status === "playing" && <Time game={game} seat={seat} />}
            <b>
              {outcome?.won && <span aria-hidden="true">★ </span>}
              {score === null ? "" : words.points(score)}
            </b>
          </li>
        );
      })}
    </ol>
  );
}

/** What is left to a seat; it runs while its turn does. */
function Time({ game, seat }: { game: Game; seat: number }) {
  const { words } = useAround();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const { clock } = game;
  if (!clock) return null;
  const runs = clock.seat === seat && clock.deadline !== null;
  const left = runs ? (Date.parse(clock.deadline as string) - now) / 1000 : (clock.banks[seat] ?? 0) + clock.turn_s;
  return (
    <time class="clock" data-late={runs && left < 15}>
      {words.inBank(Math.max(0, left))}
    </time>
  );
}
