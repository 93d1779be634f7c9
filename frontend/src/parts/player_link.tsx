/** Names of players and dates. */
import type { Schemas } from "@azul-games/client";
import { usePageContext } from "../shared/context";
import type { Player } from "../shared/me";
import { links } from "../shared/route";
import type { Words } from "../shared/words";

export const playerName = (player: Player | null, words: Words): string =>
  player?.name ?? player?.handle ?? words.people.nameless;

/** A link to a profile. Null stands for a deleted player. */
export function PlayerLink({ player }: { player: Player | null }) {
  const { words, me } = usePageContext();
  if (player === null) return <span>{words.people.gone}</span>;
  const { id, name, handle, bot } = player;
  return (
    <span class="who">
      <a href={links.player(id)}>{playerName(player, words)}</a>
      {name && handle && <small>@{handle}</small>}
      {bot && <small>{words.people.bot}</small>}
      {id === me.id && <small>({words.you})</small>}
    </span>
  );
}

export const formatDate = (moment: string | number, language: string): string =>
  new Date(moment).toLocaleDateString(language, { dateStyle: "medium" });

/**
 * Return the name at each seat of a game: that of its player, the character of its AI, or the number of the seat. Equal
 * names are numbered. The service's pictures use the same names.
 */
export function seatNames(seats: readonly Pick<Schemas["Seat"], "name" | "level" | "kind">[], words: Words): string[] {
  const names = seats.map(
    ({ name, level, kind }, at) => name ?? (kind === "ai" && level ? words.character(level) : words.seat(at)),
  );
  return names.map((name, seat) => {
    const alike = names.flatMap((each, at) => (each === name ? [at] : []));
    return alike.length > 1 ? `${name} ${alike.indexOf(seat) + 1}` : name;
  });
}
