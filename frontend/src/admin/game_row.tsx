/** A game in a list. */
import { type Schemas, useAdmin } from "./context";
import { Badge, gameTitle, When } from "./parts";

type Game = Schemas["GameSummary"];

/** Whether the game can still be played. */
export const isRunning = ({ status }: Game): boolean => status === "open" || status === "playing";

const TONES = { open: "turn", playing: "good", finished: undefined, aborted: undefined } as const;

export function GameRow({ game }: { game: Game }) {
  const { words } = useAdmin();
  const tone = TONES[game.status];
  const nameAt = ({ name, kind, level }: Game["seats"][number]) =>
    name ?? (kind === "ai" ? words.ai(level ?? "") : kind === "open" ? words.openSeat : words.nameless);
  return (
    <>
      <div>
        <a href={`play#/${game.id}`}>{gameTitle(game, words)}</a> <code>{game.id}</code>
        <p class="note">
          {words.visibilities[game.visibility]} – {game.seats.map(nameAt).join(" · ")}
        </p>
      </div>
      <Badge {...(tone && { tone })}>{words.gameStatuses[game.status]}</Badge>
      <When at={game.updated_at} />
    </>
  );
}
