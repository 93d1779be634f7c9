import { piecesOf } from "./registry";

/** A small picture of a ruleset; nothing for one that has none. */
export function Emblem({ ruleset }: { ruleset: string }) {
  const Drawn = piecesOf(ruleset)?.Emblem;
  if (!Drawn) return null;
  return (
    <svg class="emblem" viewBox="-37 -37 74 74" aria-hidden="true">
      <Drawn />
    </svg>
  );
}
