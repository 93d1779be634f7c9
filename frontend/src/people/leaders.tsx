/** The leaderboards, by ruleset, seats, kind of player and period. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Checkbox } from "../parts/fields";
import { useCatalogue } from "../parts/catalogue";
import { Header } from "../parts/header";
import { PlayerLink } from "../parts/player_link";
import { Tiles } from "../parts/tiles";
import { rulesetTexts } from "../rulesets/registry";
import { errorText, useClient, usePageContext } from "../shared/context";
import { useLoaded } from "../shared/fetching";

type Board = Schemas["Leaderboard"];

const SEAT_COUNTS: readonly Schemas["RatingSeats"][] = ["two", "many"];
const GROUPS = ["people", "bots"] as const;
const PERIODS = ["quarter", "week"] as const;
const PAGE_SIZE = 50;
/** The number of places around the player's own. */
const AROUND_SIZE = 11;

export function Leaders({
  ruleset: asked,
  seats: askedSeats,
}: {
  ruleset: string | undefined;
  seats: string | undefined;
}) {
  const { words, me } = usePageContext();
  const { people } = words;
  const { rulesets } = useCatalogue();
  const client = useClient(me.token);
  const [ruleset, setRuleset] = useState(asked);
  const [seats, setSeats] = useState<Schemas["RatingSeats"]>(askedSeats === "many" ? "many" : "two");
  const [group, setGroup] = useState<(typeof GROUPS)[number]>("people");
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>("quarter");
  const [isAroundMe, setIsAroundMe] = useState(false);
  const chosen = rulesets.some(({ id }) => id === ruleset) ? ruleset : rulesets[0]?.id;
  const fetchPage = async (first: number) => {
    const place = isAroundMe ? { around: "me" as const, limit: AROUND_SIZE } : { first, of: group, limit: PAGE_SIZE };
    const query = { seats, period, ...place };
    const params = { path: { ruleset_id: chosen ?? "" }, query };
    return unwrap(await client.GET("/v1/leaderboards/{ruleset_id}", { params }));
  };
  const {
    value: board,
    error,
    show,
  } = useLoaded<Board | null>(
    async () => (chosen === undefined ? null : fetchPage(1)),
    [client, chosen, seats, group, period, isAroundMe],
    { isCleared: true },
  );
  const fetchMore = async (before: Board) => {
    const next = await fetchPage(before.next_first ?? 1);
    return { ...next, places: [...before.places, ...next.places] };
  };
  return (
    <>
      <Header />
      <main class="wide">
        <h1 tabIndex={-1}>{people.leaders}</h1>
        <div class="filters card">
          <Tiles
            legend={words.game}
            name="ruleset"
            values={rulesets.map(({ id }) => id)}
            chosen={chosen}
            choose={setRuleset}
            textOf={(id) => rulesetTexts(id, words).name}
          />
          <Tiles
            legend={words.players}
            name="seats"
            values={SEAT_COUNTS}
            chosen={seats}
            choose={setSeats}
            textOf={(each) => words.ratingSeats[each]}
          />
          {!isAroundMe && (
            <Tiles
              legend={people.of}
              name="of"
              values={GROUPS}
              chosen={group}
              choose={setGroup}
              textOf={(each) => people.ofWhom[each]}
            />
          )}
          <Tiles
            legend={people.period}
            name="period"
            values={PERIODS}
            chosen={period}
            choose={setPeriod}
            textOf={(each) => people.periods[each]}
          />
          {me.token !== null && <Checkbox label={people.aroundMe} checked={isAroundMe} toggle={setIsAroundMe} />}
        </div>
        <section class="card" aria-live="polite" aria-busy={board === null && error === null}>
          {error !== null && <p>{errorText(error, words)}</p>}
          {board === null && error === null && <p class="note">{words.loading}</p>}
          {board?.places.length === 0 && <p>{isAroundMe ? people.notOnBoard : people.emptyBoard}</p>}
          {board && board.places.length > 0 && (
            <table class="leaders">
              <thead>
                <tr>
                  <th scope="col">{people.rank}</th>
                  <th scope="col">{people.player}</th>
                  <th scope="col">{people.points}</th>
                </tr>
              </thead>
              <tbody>
                {board.places.map(({ rank, player, points, provisional }) => (
                  <tr key={player.id} data-own={player.id === me.id}>
                    <td>{rank}</td>
                    <td>
                      <PlayerLink player={player} />
                    </td>
                    <td>
                      {points} {provisional && <small>{people.provisional}</small>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {board && board.places.length > 0 && <p class="note">{people.onBoard(board.total)}</p>}
          {board && board.next_first !== null && !isAroundMe && (
            <button onClick={() => show(fetchMore(board))}>{words.more}</button>
          )}
        </section>
      </main>
    </>
  );
}
