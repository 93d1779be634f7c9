/** AI levels with a description in the reader's language. */
import type { Schemas } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { usePageContext } from "../shared/context";
import type { Words } from "../shared/words";
import { SelectField } from "./fields";
import { useCatalogue } from "./catalogue";

/** Return the description of a level, or an empty text. */
export function levelDescription(level: string, words: Words, levels: readonly Schemas["Level"][]): string {
  const text = words.sharing.levels[level]?.[1];
  return text ?? levels.find(({ id }) => id === level)?.description ?? "";
}

/** The levels as `<option>` elements, weakest first. */
export function LevelOptions() {
  const { words } = usePageContext();
  const { levels } = useCatalogue();
  return (
    <>
      {levels.map(({ id }) => (
        <option key={id} value={id}>
          {words.ai(id)}
        </option>
      ))}
    </>
  );
}

interface LevelFieldProps<Value extends string> {
  name: string;
  level: Value;
  choose: (level: Value) => void;
  /** Options beside the levels, each with a description in `notes`. */
  children?: ComponentChildren;
  notes?: Readonly<Record<string, string>>;
}

export function LevelField<Value extends string>({ name, level, choose, children, notes }: LevelFieldProps<Value>) {
  const { words } = usePageContext();
  const { levels } = useCatalogue();
  return (
    <div>
      <SelectField label={name} value={level} choose={(value) => choose(value as Value)}>
        <LevelOptions />
        {children}
      </SelectField>
      <p class="note expected">{notes?.[level] ?? levelDescription(level, words, levels)}</p>
    </div>
  );
}
