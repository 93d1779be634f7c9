/** Settings of a game, as a form and in words. */
import type { Schemas } from "@azul-games/client";
import { useState } from "preact/hooks";
import { DEFAULT_RULESET, rulesetTexts, variantName } from "../rulesets/registry";
import { usePageContext } from "../shared/context";
import { tabStore } from "../shared/store";
import type { Words } from "../shared/words";
import { Checkbox, SelectField } from "./fields";
import type { Catalogue } from "./catalogue";
import { ImposedNote } from "./standing";
import { Tiles } from "./tiles";

/** Seconds per turn, and in the reserve. */
export const CLOCKS = [
  [30, 300],
  [60, 600],
  [300, 3600],
] as const;

export interface GameSettings {
  ruleset: Schemas["RulesetId"];
  variant: string;
  seats: number;
  /** An index of `CLOCKS`, or -1 for no clock. */
  clock: number;
  rated: boolean;
}

/** Players who keep the defaults find each other. */
const DEFAULTS: GameSettings = { ruleset: DEFAULT_RULESET, variant: "", seats: 2, clock: 1, rated: false };

export interface GameSettingsForm {
  gameSettings: GameSettings;
  change: (some: Partial<GameSettings>) => void;
  catalogue: Catalogue;
  /** Until when the reader gets no rated games, or null. */
  excludedUntil?: string | null;
}

/** A state that is stored in this tab and restored with the form. */
export function useTabState<T extends object>(name: string, defaults: T): [T, (some: Partial<T>) => void] {
  const [chosen, setChosen] = useState<T>(() => ({ ...defaults, ...tabStore.read<T>(name) }));
  const change = (some: Partial<T>) => {
    const next = { ...chosen, ...some };
    tabStore.write(name, next);
    setChosen(next);
  };
  return [chosen, change];
}

/** `excludedUntil`: see `GameSettingsForm`. */
export function useGameSettings(catalogue: Catalogue, excludedUntil: string | null = null): GameSettingsForm {
  const [chosen, change] = useTabState("azul-table-terms", DEFAULTS);
  const sides = catalogue.rulesets.find(({ id }) => id === chosen.ruleset)?.variants ?? [];
  const variant = sides.includes(chosen.variant) ? chosen.variant : (sides[0] ?? "");
  return {
    gameSettings: { ...chosen, variant, rated: chosen.rated && chosen.clock >= 0 && !excludedUntil },
    change,
    catalogue,
    excludedUntil,
  };
}

/** Return the settings as fields of a seek or challenge request. */
export function settingsRequest({ ruleset, variant, clock, rated }: GameSettings) {
  const [turn_s, bank_s] = CLOCKS[clock] ?? [];
  return { ruleset, variant, rated, clock: turn_s === undefined ? null : { turn_s, bank_s: bank_s ?? 0 } };
}

/** Return the name of a game, such as `Azul, coloured side`. */
export const gameName = ({ ruleset, variant }: Pick<Schemas["Seek"], "ruleset" | "variant">, words: Words): string =>
  `${rulesetTexts(ruleset, words).name}, ${variantName(ruleset, variant, words)}`;

/** Return the settings, such as `Azul, coloured side · 60 s per turn + 10 min reserve · rated`. */
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

/** The fields of the form. Challenges have no choice of seats; competitions need a clock. */
export function GameSettingsFields({
  gameSettings,
  change,
  catalogue,
  excludedUntil = null,
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
      <SelectField label={words.clock} value={gameSettings.clock} choose={(value) => change({ clock: Number(value) })}>
        {CLOCKS.map(([turn, bank], number) => (
          <option key={number} value={number}>
            {words.clockOf(turn, bank)}
          </option>
        ))}
        {!needsClock && <option value={-1}>{words.noClock}</option>}
      </SelectField>
      <Checkbox
        label={gameSettings.clock < 0 ? people.ratedNeedsClock : people.ratedLong}
        checked={gameSettings.rated}
        disabled={gameSettings.clock < 0 || excludedUntil !== null}
        toggle={(checked) => change({ rated: checked })}
      />
      {excludedUntil && <ImposedNote kind="excluded" until={excludedUntil} />}
    </>
  );
}
