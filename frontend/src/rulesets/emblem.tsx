import { rulesetUi } from "./registry";

/** A small picture of a ruleset; nothing for one that has none. */
export function Emblem({ ruleset }: { ruleset: string }) {
  const Drawing = rulesetUi(ruleset)?.Emblem;
  if (!Drawing) return null;
  return (
    <svg class="emblem" viewBox="-37 -37 74 74" aria-hidden="true">
      <Drawing />
    </svg>
  );
}
