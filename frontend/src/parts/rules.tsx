/** Links to the rules and the page on conduct. They open a new tab, so that the game stays open. */
import { BookOpen } from "lucide";
import { rulesetTexts } from "../rulesets/registry";
import { usePageContext } from "../shared/context";
import type { Settings } from "../shared/store";
import { Icon } from "./design/icon";

const rulesUrl = (ruleset: string, { language }: Settings): string => `docs/rules/${ruleset}/${language}`;

export function RulesLink({
  ruleset,
  sign,
}: {
  ruleset: string;
  /** Show an icon instead of a text. */
  sign?: boolean;
}) {
  const { words, settings } = usePageContext();
  return (
    <a
      class={sign ? "sign" : undefined}
      href={rulesUrl(ruleset, settings)}
      target="_blank"
      aria-label={words.rules}
      title={words.rules}
    >
      {sign ? <Icon icon={BookOpen} /> : words.rules}
    </a>
  );
}

/** A link to the page on conduct, reports and appeals. */
export function ConductLink({ children }: { children?: string }) {
  const { words, settings } = usePageContext();
  return (
    <a href={`docs/conduct/players/${settings.language}`} target="_blank">
      {children ?? words.moderation.conduct}
    </a>
  );
}

/** A note about uncertain rules with a link to them, or nothing. */
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
