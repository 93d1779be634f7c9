/** The seats: players, scores, clocks, and buttons to take a seat. */
import type { Schemas } from "@azul-games/client";
import { Star } from "lucide";
import { type Reportable, ReportButton, reportablePlayer } from "../moderation/report_button";
import { Button } from "../parts/design/button";
import { Icon } from "../parts/design/icon";
import { Avatar } from "../parts/player_link";
import type { Game } from "../game/live";
import type { SeatClaiming } from "../game/local_seats";
import { isSeated, nameOf, type PlayingProps } from "../game/players";
import { NameField, ownName } from "../parts/name_field";
import { bearerHeader } from "../shared/client";
import { usePageContext } from "../shared/context";
import type { Me } from "../shared/me";
import { useTick } from "../shared/polling";
import { links } from "../shared/route";
import { storedGame } from "../shared/store";
import type { Words } from "../shared/words";
import { PresenceDot, usePresence, Watchers } from "./presence";

const TICK_MS = 500;
/** Shorter thinking times are not shown. */
const MIN_SHOWN_S = 3;

export function Seats(playing: PlayingProps & SeatClaiming) {
  const { client, game, seats } = playing;
  const { words, settings, me } = usePageContext();
  useTick(TICK_MS);
  const now = Date.now();
  const presence = usePresence(client, game.id);
  const { host, invite } = storedGame(game.id);
  const link = invite ?? host;
  const claims = game.seats.map((_, seat): SeatClaim | null => {
    if (seats.includes(seat)) return returnClaim(game, seat, words);
    if (!link || !isReplaceable(game, seat, now)) return null;
    return { text: words.takeOver, body: { seat, name: ownName(settings, me) || null, token: link } };
  });
  return (
    <section class="card">
      <ol class="seats">
        {game.seats.map(({ kind, level, score, status, player }, seat) => {
          const outcome = game.outcome?.seats[seat];
          const offered = claims[seat];
          const name = nameOf(game, seat, words);
          return (
            <li key={seat} data-deciding={game.to_decide === seat} data-status={status}>
              {(seats.includes(seat) || presence?.seats.includes(seat)) && <PresenceDot />}
              <Avatar name={kind === "open" ? "" : name} seat={seat} />
              <span class="name">
                {player === null ? name : <a href={links.player(player)}>{name}</a>}
                {seats.includes(seat) && <small> ({words.you})</small>}
                {status !== "active" && <small class="standing">{words.standing[status] ?? status}</small>}
                {kind === "ai" && level && <Character level={level} />}
              </span>
              {!game.clock && game.to_decide === seat && !seats.includes(seat) && game.status === "playing" && (
                <ThinkingTime since={Date.parse(game.updated_at)} now={now} />
              )}
              {game.clock && game.status === "playing" && <ClockTime game={game} seat={seat} now={now} />}
              <b>
                {outcome?.won && <Icon icon={Star} />}
                {score === null ? "" : words.points(score)}
              </b>
              {offered && <ClaimButton {...playing} offered={offered} />}
            </li>
          );
        })}
      </ol>
      <Watchers watching={presence?.watching ?? null} isWatching={seats.length === 0} />
      <ReportButton choices={reportables(game, seats, me, words)} />
      {seats.length === 0 && claims.some((claimable) => claimable) && <NameField />}
    </section>
  );
}

/** The running clock, and buttons to take back own seats that an AI plays. For pages with the seats below the picture. */
export function TurnTools(playing: PlayingProps & SeatClaiming) {
  const { game, seats } = playing;
  const { words } = usePageContext();
  useTick(TICK_MS);
  const claims = seats.flatMap((seat) => returnClaim(game, seat, words) ?? []);
  const isRunning = game.status === "playing" && game.to_decide !== null;
  return (
    <>
      {isRunning && <ClockTime game={game} seat={game.to_decide as number} now={Date.now()} />}
      {claims.map((offered) => (
        <ClaimButton key={offered.body.seat} {...playing} offered={offered} />
      ))}
    </>
  );
}

interface SeatClaim {
  text: string;
  body: Schemas["ClaimSeatRequest"];
  headers?: Record<string, string>;
}

/** Return how the player of an own seat comes back from being away, or null. */
function returnClaim(game: Game, seat: number, words: Words): SeatClaim | null {
  const { name = null, status, replaceable_at } = game.seats[seat] ?? {};
  if (status !== "away" || !replaceable_at) return null;
  return { text: words.playOn, body: { seat, name }, headers: bearerHeader(storedGame(game.id).seats[seat]) };
}

function ClaimButton({
  game,
  claim,
  isClaiming,
  reportErrors,
  offered: { text, body, headers },
}: PlayingProps & SeatClaiming & { offered: SeatClaim }) {
  const { words } = usePageContext();
  return (
    <Button
      whyNot={isClaiming && words.busy}
      aria-label={`${text}: ${nameOf(game, body.seat as number, words)}`}
      onClick={() => reportErrors(claim(body, headers))}
    >
      {text}
    </Button>
  );
}

/** Return what the reader can report in a game with others: the other players, their names and the game. */
function reportables(game: Game, seats: readonly number[], { id }: Me, words: Words): Reportable[] {
  const others = game.seats.flatMap(({ kind, player }, seat) =>
    ["open", "ai"].includes(kind) || seats.includes(seat) ? [] : [{ player, name: nameOf(game, seat, words) }],
  );
  const players = others.flatMap(({ player, name }) => (player && player !== id ? reportablePlayer(player, name) : []));
  const isReadable = game.visibility !== "private" || isSeated(game, id);
  return others.length > 0 && isReadable ? [...players, { type: "game", game_id: game.id, name: "" }] : players;
}

/** The level of an AI, and what to expect of it. */
function Character({ level }: { level: string }) {
  const [name, expected] = usePageContext().words.sharing.levels[level] ?? [level];
  return (
    <details class="note">
      <summary>{name}</summary>
      {expected}
    </details>
  );
}

/** Return whether another player may take the seat. Seats of players who are away are free at once. */
function isReplaceable(game: Game, seat: number, now: number): boolean {
  const { status, replaceable_at } = game.seats[seat] ?? {};
  return !!replaceable_at && (status === "away" || Date.parse(replaceable_at) <= now);
}

/** The thinking time of a player without a clock, after some seconds. */
function ThinkingTime({ since, now }: { since: number; now: number }) {
  const { words } = usePageContext();
  const seconds = (now - since) / 1000;
  return seconds < MIN_SHOWN_S ? null : <time class="waited">{words.inBank(seconds)}</time>;
}

/** The remaining time of a seat. It runs during the seat's turn. */
function ClockTime({ game, seat, now }: { game: Game; seat: number; now: number }) {
  const { words } = usePageContext();
  const { clock } = game;
  if (!clock) return null;
  const isRunning = clock.seat === seat && clock.deadline !== null;
  const left = isRunning
    ? (Date.parse(clock.deadline as string) - now) / 1000
    : (clock.banks[seat] ?? 0) + clock.turn_s;
  return (
    <time class="clock" data-late={isRunning && left < 15}>
      {words.inBank(Math.max(0, left))}
    </time>
  );
}
