/** The standings with tiebreaks, and the podium after the end. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Confirmation } from "../parts/design/dialog";
import { playerName } from "../parts/player_link";
import { usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import { links } from "../shared/route";
import type { Words } from "../shared/words";
import { type Competition, isOver, type Standing } from "./competition";

/** Rows at first; the reader's own row is always shown. */
const FIRST_SHOWN = 30;

interface Column {
  name: string;
  /** The full name, if `name` is an abbreviation. */
  long?: string;
  valueOf: (standing: Standing) => number | null;
}

/** Return the columns in the order in which they break ties. */
function columnsOf({ format, status }: Competition, { competitions }: Words): Column[] {
  if (status === "coming") return [{ name: competitions.rating, valueOf: ({ points }) => points }];
  if (format === "arena") {
    return [
      { name: competitions.performance, long: competitions.performanceLong, valueOf: ({ performance }) => performance },
      { name: competitions.wins, valueOf: ({ wins }) => wins },
      { name: competitions.played, valueOf: ({ played }) => played },
    ];
  }
  return [
    { name: competitions.cut, long: competitions.cutLong, valueOf: (standing) => standing.buchholz_cut_1 },
    { name: competitions.buchholz, long: competitions.buchholzLong, valueOf: ({ buchholz }) => buchholz },
    {
      name: competitions.sonneborn,
      long: competitions.sonnebornLong,
      valueOf: (standing) => standing.sonneborn_berger,
    },
    { name: competitions.wins, valueOf: ({ wins }) => wins },
  ];
}

export const entrantName = (entrant: { player: string | null; name: string | null }, words: Words): string =>
  playerName(entrant.player === null ? null : entrant, words);

export function EntrantLink({ entrant }: { entrant: Pick<Standing, "player" | "name" | "bot"> }) {
  const { words, me } = usePageContext();
  const name = entrantName(entrant, words);
  return (
    <span class="who">
      {entrant.player === null ? name : <a href={links.player(entrant.player)}>{name}</a>}
      {entrant.bot && <small>{words.people.bot}</small>}
      {entrant.player !== null && entrant.player === me.id && <small>({words.you})</small>}
    </span>
  );
}

export function Standings({ competition, isHost }: { competition: Competition; isHost: boolean }) {
  const { words, settings, me } = usePageContext();
  const { competitions } = words;
  const [showsAll, setShowsAll] = useState(false);
  const { standings } = competition;
  const columns = columnsOf(competition, words);
  const shown = standings.filter(({ player }, place) => showsAll || place < FIRST_SHOWN || player === me.id);
  const formatScore = (value: number | null) => (value === null ? "–" : value.toLocaleString(settings.language));
  const hasBegun = competition.status !== "coming";
  const canRemove = isHost && !isOver(competition);
  if (standings.length === 0) return <p>{competitions.nobody}</p>;
  return (
    <>
      <div class="scrolls" tabIndex={0} role="group" aria-label={competitions.standings}>
        <table class="standings">
          <thead>
            <tr>
              <th scope="col">
                <abbr title={competitions.rank}>#</abbr>
              </th>
              <th scope="col">{competitions.player}</th>
              {hasBegun && <th scope="col">{competitions.score}</th>}
              {columns.map(({ name, long }) => (
                <th scope="col" key={name}>
                  {long ? <abbr title={long}>{name}</abbr> : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.number} data-own={one.player !== null && one.player === me.id} data-status={one.status}>
                <td>{one.rank}</td>
                <th scope="row">
                  <EntrantLink entrant={one} />
                  <EntrantState entrant={one} />
                  {canRemove && one.status !== "removed" && one.player !== me.id && (
                    <RemoveButton competition={competition} entrant={one} />
                  )}
                </th>
                {hasBegun && (
                  <td>
                    <b>{formatScore(one.score)}</b>
                  </td>
                )}
                {columns.map(({ name, valueOf }) => (
                  <td key={name}>{formatScore(valueOf(one))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {standings.length > shown.length && (
        <button onClick={() => setShowsAll(true)}>{competitions.all(standings.length)}</button>
      )}
      {hasBegun && (
        <details>
          <summary>{competitions.howDecided}</summary>
          <p class="note">{competitions.decides}</p>
          <ol class="decides note">
            {columns.map(({ name, long }) => (
              <li key={name}>{long ? `${name} – ${long}` : name}</li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** The current game and the winning streak. */
function EntrantState({ entrant }: { entrant: Standing }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const streak = entrant.streak ?? 0;
  return (
    <>
      {streak >= 2 && (
        <small class="streak">
          <span aria-hidden="true">{"★".repeat(Math.min(streak, 5))}</span>
          <span class="unseen">{competitions.streak(streak)}</span>
        </small>
      )}
      {entrant.game_id !== null && (
        <small>
          <a href={links.game(entrant.game_id)}>{competitions.plays}</a>
        </small>
      )}
      {entrant.status !== "entered" && <small>{competitions.standing[entrant.status] ?? entrant.status}</small>}
    </>
  );
}

function RemoveButton({ competition, entrant }: { competition: Competition; entrant: Standing }) {
  const { words, me } = usePageContext();
  const { competitions } = words;
  const showResult = useResultToast();
  const [isConfirming, setIsConfirming] = useState(false);
  const name = entrantName(entrant, words);
  const remove = async () => {
    const client = await me.client();
    const params = { path: { competition_id: competition.id, player: entrant.player ?? "" } };
    unwrap(await client.DELETE("/v1/competitions/{competition_id}/players/{player}", { params }));
  };
  if (entrant.player === null) return null;
  return (
    <>
      <button class="quiet small" aria-label={`${competitions.remove}: ${name}`} onClick={() => setIsConfirming(true)}>
        {competitions.remove}
      </button>
      {isConfirming && (
        <Confirmation
          title={competitions.removeSure(name)}
          yes={competitions.remove}
          confirm={() => showResult(remove()).then(() => setIsConfirming(false))}
          close={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}

/** The top three after the end. Styles put the second on the left. */
export function Podium({ standings }: { standings: readonly Standing[] }) {
  const { words, settings } = usePageContext();
  const first = standings.filter(({ rank, played }) => rank <= 3 && played > 0).slice(0, 3);
  if (first.length < 2) return null;
  return (
    <ol class="podium" aria-label={words.competitions.podium}>
      {first.map((one) => (
        <li key={one.number} data-rank={one.rank}>
          <EntrantLink entrant={one} />
          <span class="step">
            <b>{one.rank}</b>
            <small>
              {words.competitions.score}: {one.score.toLocaleString(settings.language)}
            </small>
          </span>
        </li>
      ))}
    </ol>
  );
}
