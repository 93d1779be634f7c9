/** What the parts of the picture are that are not told by how they look. */
import { textsOf } from "../rulesets/registry";
import { useAround } from "../shared/context";

export function Explained({ ruleset }: { ruleset: string }) {
  const { words } = useAround();
  const parts = textsOf(ruleset, words).legend;
  if (!parts) return null;
  return (
    <details class="card explained">
      <summary>{words.choosing.explained}</summary>
      <dl>
        {parts.map(([name, what]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
