/** Names and pictures of players, and dates. Pictures are made from the names: initials on a tile with a pattern. */
import type { Schemas } from "@azul-games/client";
import { usePageContext } from "../shared/context";
import type { Player } from "../shared/me";
import { links } from "../shared/route";
import type { CommonWords, Words } from "../shared/words";

type Named = Partial<Pick<Player, "name" | "handle">>;

/** Return the name that a player has chosen: the name, or else the handle. Null if there is neither. */
export const chosenName = (player: Named | null): string | null => player?.name ?? player?.handle ?? null;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATES = /[\u2068\u2069]/g;

/** Return the name for use in a text. A right-to-left name is isolated, so that it does not reorder numbers after it. */
export const isolateName = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** Return the name of a player on every page. Null stands for a deleted player. */
export const playerName = (player: Named | null, words: CommonWords): string =>
  player === null ? words.deletedPlayer : isolateName(chosenName(player) ?? words.nameless);

/** A link to a profile. */
export function PlayerLink({ player }: { player: Player | null }) {
  const { words, me } = usePageContext();
  if (player === null) return <span>{playerName(player, words)}</span>;
  const { id, name, handle, bot } = player;
  return (
    <span class="who">
      <Avatar name={playerName(player, words)} />
      <a href={links.player(id)}>{playerName(player, words)}</a>
      {name && handle && <small>@{handle}</small>}
      {bot && <small>{words.people.bot}</small>}
      {id === me.id && <small>({words.you})</small>}
    </span>
  );
}

export const formatDate = (moment: string | number, language: string): string =>
  new Date(moment).toLocaleDateString(language, { dateStyle: "medium" });

export const formatMoment = (moment: string, language: string): string =>
  new Date(moment).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

/**
 * Return the name at each seat of a game: that of its player, the character of its AI, or the number of an open seat.
 * Equal names are numbered. The service's pictures use the same names.
 */
export function seatNames(seats: readonly Pick<Schemas["Seat"], "name" | "level" | "kind">[], words: Words): string[] {
  const names = seats.map((seat, at) => {
    if (seat.kind === "open") return words.seat(at);
    return seat.kind === "ai" && seat.level && !seat.name ? words.character(seat.level) : playerName(seat, words);
  });
  return names.map((name, seat) => {
    const alike = names.flatMap((each, at) => (each === name ? [at] : []));
    return alike.length > 1 ? `${name} ${alike.indexOf(seat) + 1}` : name;
  });
}

/** A quarter of a tile in 12 × 12 units. The other quarters are rotated copies. */
const MOTIFS = ["M0 0h12L0 12z", "M12 12V0A12 12 0 0 0 0 12z", "M6 0l6 6-6 6-6-6z", "M0 0h6v6h6v6H6V6H0z"];
const QUARTERS = [0, 90, 180, 270];

/** Return a number that depends only on the name (FNV-1a). */
const hashOf = (name: string): number =>
  [...name].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0, 2166136261);

/** Return the first letters of the first and the last word that begin with a letter or digit. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /^[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [...letters.slice(0, 1), ...letters.slice(1).slice(-1)].join("").toUpperCase();
}

/** The picture of a player. In a game it has the colour of the seat. */
export function Avatar({ name: shownName, seat }: { name: string; seat?: number | undefined }) {
  const name = shownName.replace(ISOLATES, "");
  const hash = hashOf(name);
  const turn = 90 * ((hash >>> 2) % 4);
  return (
    <span class="avatar" aria-hidden="true" data-initials={initialsOf(name)} data-seat-colour={seat}>
      <svg viewBox="0 0 24 24">
        {QUARTERS.map((angle) => (
          <path key={angle} d={MOTIFS[hash % 4]} transform={`rotate(${angle} 12 12) rotate(${turn} 6 6)`} />
        ))}
      </svg>
    </span>
  );
}
