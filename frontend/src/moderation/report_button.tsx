/** The button that opens the form for a report. */
import type { Schemas } from "@azul-games/client";
import { Flag } from "lucide";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Icon } from "../parts/design/icon";
import { usePageContext } from "../shared/context";
import type { Words } from "../shared/words";

/** Something that can be reported. `name`: of the player, or the text of the message. */
export type Reportable = Pick<Schemas["CreateReportRequest"], "type" | "player" | "game_id" | "message"> & {
  name: string;
};

/** Opens the form for a report of one of these. */
export const ReportContext = createContext((_choices: readonly Reportable[]): void => undefined);

/** Return a player and their name as things that can be reported. */
export const reportablePlayer = (player: string, name: string): Reportable[] =>
  (["player", "player_name"] as const).map((type) => ({ type, player, name }));

export const reportableText = ({ type, name }: Reportable, { moderation }: Words): string =>
  moderation.objects[type](name);

/** `sign`: show only the icon. */
export function ReportButton({ choices, sign = false }: { choices: readonly Reportable[]; sign?: boolean }) {
  const { words } = usePageContext();
  const report = useContext(ReportContext);
  const { moderation } = words;
  const [first] = choices;
  if (!first) return null;
  return (
    <button
      class={sign ? "quiet sign" : "quiet"}
      aria-label={sign ? moderation.reportOf(reportableText(first, words)) : undefined}
      title={moderation.report}
      onClick={() => report(choices)}
    >
      <Icon icon={Flag} />
      {!sign && moderation.report}
    </button>
  );
}
