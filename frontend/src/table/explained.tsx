/** What the parts of the picture are that are not told by how they look. */
import { useAround } from "../shared/context";

export function Explained({ ruleset }: { ruleset: string }) {
  const { choosing } = useAround().words;
  const parts = choosing.explanations[ruleset];
  if (!parts) return null;
  return (
    <details class="card explained">
      <summary>{choosing.explained}</summary>
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
