/** AI levels with a description in the reader's language. */
import type { Schemas } from "@azul-games/client";
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

export function LevelField({
  name,
  level,
  choose,
}: {
  name: string;
  level: string;
  choose: (level: Schemas["LevelId"]) => void;
}) {
  const { words } = usePageContext();
  const { levels } = useCatalogue();
  return (
    <div>
      <SelectField label={name} value={level} choose={(value) => choose(value as Schemas["LevelId"])}>
        <LevelOptions />
      </SelectField>
      <p class="note expected">{levelDescription(level, words, levels)}</p>
    </div>
  );
}
