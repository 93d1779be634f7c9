/** Players, games and waits of the last days, as charts. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Tiles } from "../../parts/tiles";
import { rulesetTitle } from "../../rulesets/titles";
import { useLoaded } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { Heading, LoadingNote } from "../parts";
import { Chart, type DayValue } from "./chart";

type Day = Schemas["DayOfFigures"];

const PERIODS = [7, 30, 90] as const;

/** Return the games of each day that have a property, such as a ruleset. */
export const gamesWhere = (days: readonly Day[], isCounted: (games: Day["games"][number]) => boolean): DayValue[] =>
  days.map(({ day, games }) => ({
    day,
    value: games.filter(isCounted).reduce((sum, { count }) => sum + count, 0),
  }));

/** Return the values of a property of all games, most frequent first. */
export function valuesOf(days: readonly Day[], property: "ruleset" | "kind"): string[] {
  const counts: Record<string, number> = {};
  for (const { games } of days)
    for (const each of games) counts[each[property]] = (counts[each[property]] ?? 0) + each.count;
  return Object.keys(counts).sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0));
}

export function Figures() {
  const { words, staff } = useAdmin();
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>(30);
  const loaded = useLoaded(async () => {
    const query = { days: Math.max(...PERIODS) };
    return unwrap(await staff.GET("/v1/admin/figures", { params: { query } })).days;
  }, [staff]);
  return (
    <>
      <Heading title={words.sections.figures} />
      <Tiles
        legend={words.show}
        name="period"
        values={PERIODS}
        chosen={period}
        choose={setPeriod}
        textOf={(each) => words.days(each)}
      />
      <LoadingNote {...loaded} />
      {loaded.value && <Charts days={loaded.value.slice(-period)} />}
    </>
  );
}

function Charts({ days }: { days: readonly Day[] }) {
  const { words } = useAdmin();
  const series = (value: (day: Day) => number) => days.map((each) => ({ day: each.day, value: value(each) }));
  return (
    <div class="charts">
      <Chart title={words.newPlayers} days={series((day) => day.new_players)} />
      <Chart title={words.activePlayers} days={series((day) => day.active_players)} />
      <Chart title={words.returningPlayers} days={series((day) => day.returning_players)} />
      <Chart title={words.newGames} days={gamesWhere(days, () => true)} />
      {valuesOf(days, "ruleset").map((ruleset) => (
        <Chart
          key={ruleset}
          title={words.gamesOf(rulesetTitle(ruleset, words.lang))}
          days={gamesWhere(days, (games) => games.ruleset === ruleset)}
        />
      ))}
      {valuesOf(days, "kind").map((kind) => (
        <Chart
          key={kind}
          title={words.gamesOf(words.gameKinds[kind] ?? kind)}
          days={gamesWhere(days, (games) => games.kind === kind)}
        />
      ))}
      <Chart title={words.pairedSeeks} days={series((day) => day.paired_seeks)} />
      <Chart
        title={words.medianWait}
        days={series((day) => day.median_wait_s ?? 0)}
        textOf={(seconds) => words.wait(seconds)}
      />
    </div>
  );
}
