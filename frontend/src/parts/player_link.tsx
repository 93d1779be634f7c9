/** Names of players and dates. */
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
