import { rulesetInfo } from "./registry";

/** The emblem of a ruleset, or nothing. */
export function Emblem({ ruleset }: { ruleset: string }) {
  const Drawing = rulesetInfo(ruleset)?.Emblem;
  if (!Drawing) return null;
  return (
    <svg class="emblem" viewBox="-37 -37 74 74" aria-hidden="true">
      <Drawing />
    </svg>
  );
}
