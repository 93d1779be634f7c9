/** To the page that tells a ruleset's rules, in a tab of its own: the game stays. */
import { useAround } from "./context";

export function RulesLink({ ruleset, sign }: { ruleset: string; /** As a question mark. */ sign?: boolean }) {
  const { words, settings } = useAround();
  const address = `docs/rules/${ruleset}/${settings.language}`;
  return (
    <a class={sign ? "sign" : undefined} href={address} target="_blank" aria-label={words.rules} title={words.rules}>
      {sign ? "?" : words.rules}
    </a>
  );
}
