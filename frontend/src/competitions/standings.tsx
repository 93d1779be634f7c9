/** How everybody stands, by what decides between equal scores; after the end, the first three. */
import { unwrap } from "azul-games-client";
import { useState } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import { links } from "../shared/route";
import type { Words } from "../shared/words";
import type { Competition, Standing } from "./competition";

/** So many are shown at first, and whoever looks. */
const FIRST = 30;

interface Column {
  name: string;
  /** What the name is short for. */
  long?: string;
  of: (standing: Standing) => number | null;
}

/** In the order in which they decide. */
function columnsOf({ format, status }: Competition, { competitions }: Words): Column[] {
  if (status === "coming") return [{ name: competitions.rating, of: ({ points }) => points }];
  if (format === "arena") {
    return [
      { name: competitions.performance, long: competitions.performanceLong, of: ({ performance }) => performance },
      { name: competitions.wins, of: ({ wins }) => wins },
      { name: competitions.played, of: ({ played }) => played },
    ];
  }
  return [
    { name: competitions.cut, long: competitions.cutLong, of: (standing) => standing.buchholz_cut_1 },
    { name: competitions.buchholz, long: competitions.buchholzLong, of: ({ buchholz }) => buchholz },
    { name: competitions.sonneborn, long: competitions.sonnebornLong, of: (standing) => standing.sonneborn_berger },
    { name: competitions.wins, of: ({ wins }) => wins },
  ];
}

export const entrantName = (one: { player: string | null; name: string | null }, { people }: Words): string =>
  one.name ?? (one.player === null ? people.gone : people.nameless);

export function EntrantLink({ one }: { one: Pick<Standing, "player" | "name" | "bot"> }) {
  const { words, me } = usePageContext();
  const name = entrantName(one, words);
  return (
    <span class="who">
      {one.player === null ? name : <a href={links.player(one.player)}>{name}</a>}
      {one.bot && <small>{words.people.bot}</small>}
      {one.player !== null && one.player === me.id && <small>({words.you})</small>}
    </span>
  );
}

export function Standings({ competition, isHost }: { competition: Competition; isHost: boolean }) {
  const { words, settings, me } = usePageContext();
  const { competitions } = words;
  const [whole, showWhole] = useState(false);
  const { standings } = competition;
  const columns = columnsOf(competition, words);
  const shown = standings.filter(({ player }, place) => whole || place < FIRST || player === me.id);
  const inFigures = (value: number | null) => (value === null ? "–" : value.toLocaleString(settings.language));
  const begun = competition.status !== "coming";
  const removes = isHost && !["over", "cancelled"].includes(competition.status);
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
              {begun && <th scope="col">{competitions.score}</th>}
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
                  <EntrantLink one={one} />
                  <State one={one} />
                  {removes && one.status !== "removed" && one.player !== me.id && (
                    <Remove competition={competition} one={one} />
                  )}
                </th>
                {begun && (
                  <td>
                    <b>{inFigures(one.score)}</b>
                  </td>
                )}
                {columns.map(({ name, of }) => (
                  <td key={name}>{inFigures(of(one))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {standings.length > shown.length && (
        <button onClick={() => showWhole(true)}>{competitions.all(standings.length)}</button>
      )}
      {begun && (
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

/** What they do now, and how well of late. */
function State({ one }: { one: Standing }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const streak = one.streak ?? 0;
  return (
    <>
      {streak >= 2 && (
        <small class="streak">
          <span aria-hidden="true">{"★".repeat(Math.min(streak, 5))}</span>
          <span class="unseen">{competitions.streak(streak)}</span>
        </small>
      )}
      {one.game_id !== null && (
        <small>
          <a href={links.game(one.game_id)}>{competitions.plays}</a>
        </small>
      )}
      {one.status !== "entered" && <small>{competitions.standing[one.status] ?? one.status}</small>}
    </>
  );
}

function Remove({ competition, one }: { competition: Competition; one: Standing }) {
  const { words, me } = usePageContext();
  const { competitions } = words;
  const asking = useResultToast();
  const [sure, setSure] = useState(false);
  const name = entrantName(one, words);
  const remove = async () => {
    const client = await me.client();
    const params = { path: { competition_id: competition.id, player: one.player ?? "" } };
    unwrap(await client.DELETE("/v1/competitions/{competition_id}/players/{player}", { params }));
  };
  if (one.player === null) return null;
  if (!sure) {
    return (
      <button class="quiet small" aria-label={`${competitions.remove}: ${name}`} onClick={() => setSure(true)}>
        {competitions.remove}
      </button>
    );
  }
  return (
    <span class="sure" role="group" aria-label={competitions.removeSure(name)}>
      {competitions.removeSure(name)}{" "}
      <button class="small" onClick={() => asking(remove()).then(() => setSure(false))}>
        {words.yes}
      </button>{" "}
      <button class="small" onClick={() => setSure(false)}>
        {words.no}
      </button>
    </span>
  );
}

/** The first three, when all is over; who is second stands on the left. */
export function Podium({ standings }: { standings: readonly Standing[] }) {
  const { words, settings } = usePageContext();
  const first = standings.filter(({ rank, played }) => rank <= 3 && played > 0).slice(0, 3);
  if (first.length < 2) return null;
  return (
    <ol class="podium" aria-label={words.competitions.podium}>
      {first.map((one) => (
        <li key={one.number} data-rank={one.rank}>
          <EntrantLink one={one} />
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
