/** Links to the page with the rules of a ruleset. They open a new tab, so that the game stays open. */
import { rulesetTexts } from "../rulesets/registry";
import { usePageContext } from "../shared/context";
import type { Settings } from "../shared/store";

const rulesUrl = (ruleset: string, { language }: Settings): string => `docs/rules/${ruleset}/${language}`;

export function RulesLink({ ruleset, sign }: { ruleset: string; /** As a question mark. */ sign?: boolean }) {
  const { words, settings } = usePageContext();
  return (
    <a
      class={sign ? "sign" : undefined}
      href={rulesUrl(ruleset, settings)}
      target="_blank"
      aria-label={words.rules}
      title={words.rules}
    >
      {sign ? "?" : words.rules}
    </a>
  );
}

/** A note about rules that are not certain, with a link to the rules; nothing where all are certain. */
export function Sureness({ ruleset, variant }: { ruleset: string; variant?: string | undefined }) {
  const { words, settings } = usePageContext();
  const { sureness } = rulesetTexts(ruleset, words);
  const note = sureness?.[variant ?? "any"] ?? sureness?.["any"];
  if (!note) return null;
  return (
    <p class="note">
      {note}{" "}
      <a href={rulesUrl(ruleset, settings)} target="_blank">
        {words.details}
      </a>
    </p>
  );
}
