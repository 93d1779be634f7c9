/** What is to be played: asked for in a form, and told in words. */
import type { Schemas } from "azul-games-client";
import { useState } from "preact/hooks";
import { DEFAULT_RULESET, rulesetTexts, variantName } from "../rulesets/registry";
import { usePageContext } from "../shared/context";
import { tabStore } from "../shared/store";
import type { Words } from "../shared/words";
import type { Catalogue } from "./catalogue";
import { Tiles } from "./tiles";

/** Seconds a turn, and in the bank. */
export const CLOCKS = [
  [30, 300],
  [60, 600],
  [300, 3600],
] as const;

export interface GameSettings {
  ruleset: Schemas["RulesetId"];
  variant: string;
  seats: number;
  /** Of `CLOCKS`; -1: none. */
  clock: number;
  rated: boolean;
}

/** What is asked for where nothing else is chosen; strangers who leave it so find each other. */
const DEFAULTS: GameSettings = { ruleset: DEFAULT_RULESET, variant: "", seats: 2, clock: 1, rated: false };

export interface GameSettingsForm {
  gameSettings: GameSettings;
  change: (some: Partial<GameSettings>) => void;
  catalogue: Catalogue;
}

/** What was chosen in a form, which comes back with it during this visit. */
export function useTabState<T extends object>(name: string, defaults: T): [T, (some: Partial<T>) => void] {
  const [chosen, setChosen] = useState<T>(() => ({ ...defaults, ...tabStore.read<T>(name) }));
  const change = (some: Partial<T>) => {
    const next = { ...chosen, ...some };
    tabStore.write(name, next);
    setChosen(next);
  };
  return [chosen, change];
}

export function useGameSettings(catalogue: Catalogue): GameSettingsForm {
  const [chosen, change] = useTabState("azul-table-terms", DEFAULTS);
  const sides = catalogue.rulesets.find(({ id }) => id === chosen.ruleset)?.variants ?? [];
  const variant = sides.includes(chosen.variant) ? chosen.variant : (sides[0] ?? "");
  return {
    gameSettings: { ...chosen, variant, rated: chosen.rated && chosen.clock >= 0 },
    change,
    catalogue,
  };
}

/** As a seek or a challenge says it. */
export function settingsRequest({ ruleset, variant, clock, rated }: GameSettings) {
  const [turn_s, bank_s] = CLOCKS[clock] ?? [];
  return { ruleset, variant, rated, clock: turn_s === undefined ? null : { turn_s, bank_s: bank_s ?? 0 } };
}

/** `Azul, coloured side`. */
export const gameName = ({ ruleset, variant }: Pick<Schemas["Seek"], "ruleset" | "variant">, words: Words): string =>
  `${rulesetTexts(ruleset, words).name}, ${variantName(ruleset, variant, words)}`;

/** `Azul, coloured side · 60 s per turn + 10 min reserve · rated`. */
export function gameSettingsText(request: Schemas["Seek"] | Schemas["Challenge"], words: Words): string {
  const { seats, clock, rated, mixed } = request;
  return [
    gameName(request, words),
    words.people.seatCount(seats),
    clock ? words.clockOf(clock.turn_s, clock.bank_s) : words.noClock,
    rated ? words.people.rated : words.people.forFun,
    ...(mixed ? [words.people.mixed] : []),
  ].join(" · ");
}

/** The fields; those of a challenge have two seats; `timed`: a clock is needed. */
export function GameSettingsFields({
  gameSettings,
  change,
  catalogue,
  withSeats,
  needsClock = false,
}: GameSettingsForm & { withSeats: boolean; needsClock?: boolean }) {
  const { words } = usePageContext();
  const { people } = words;
  const chosen = catalogue.rulesets.find(({ id }) => id === gameSettings.ruleset);
  return (
    <>
      <Tiles
        legend={words.game}
        name="ruleset"
        values={catalogue.rulesets.map(({ id }) => id as GameSettings["ruleset"])}
        chosen={gameSettings.ruleset}
        choose={(ruleset) => change({ ruleset })}
        textOf={(id) => rulesetTexts(id, words).name}
      />
      <Tiles
        legend={words.side}
        name="variant"
        values={chosen?.variants ?? []}
        chosen={gameSettings.variant}
        choose={(variant) => change({ variant })}
        textOf={(each) => variantName(gameSettings.ruleset, each, words)}
      />
      {withSeats && (
        <Tiles
          legend={words.players}
          name="seats"
          values={chosen?.seat_counts ?? []}
          chosen={gameSettings.seats}
          choose={(count) => change({ seats: count })}
          textOf={String}
        />
      )}
      <label class="field">
        <span>{words.clock}</span>
        <select
          value={gameSettings.clock}
          onChange={({ currentTarget }) => change({ clock: Number(currentTarget.value) })}
        >
          {CLOCKS.map(([turn, bank], number) => (
            <option key={number} value={number}>
              {words.clockOf(turn, bank)}
            </option>
          ))}
          {!needsClock && <option value={-1}>{words.noClock}</option>}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={gameSettings.rated}
          disabled={gameSettings.clock < 0}
          onChange={({ currentTarget }) => change({ rated: currentTarget.checked })}
        />
        <span>{gameSettings.clock < 0 ? people.ratedNeedsClock : people.ratedLong}</span>
      </label>
    </>
  );
}
