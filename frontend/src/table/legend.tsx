/** The legend of the picture. */
import { rulesetTexts } from "../rulesets/registry";
import { usePageContext } from "../shared/context";

export function Legend({ ruleset }: { ruleset: string }) {
  const { words } = usePageContext();
  const parts = rulesetTexts(ruleset, words).legend;
  if (!parts) return null;
  return (
    <details class="card explained">
      <summary>{words.choosing.explained}</summary>
      <dl>
        {parts.map(([name, explanation]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{explanation}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
