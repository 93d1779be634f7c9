/** Parts that every page loads only when it needs them: animations, the form for a report, bans and warnings. */
import type { Problem } from "@azul-games/client";
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Reportable } from "./moderation/report_button";
import type { FinishedGame } from "./review/animation";
import { loadedPeople, loadPeople, type PeoplePages } from "./router";
import { usePageContext } from "./shared/context";
import { browserStore } from "./shared/store";

const SEEN_KEY = "azul-table-warning";

/** Render a part of the chunk of people, or nothing until it is loaded. */
function OnDemand({ children }: { children: (parts: PeoplePages) => ComponentChild }) {
  const { words, toast } = usePageContext();
  const [parts, setParts] = useState(loadedPeople);
  useEffect(() => {
    if (!parts) loadPeople().then(setParts, () => toast(words.failed));
  }, []);
  return parts && <>{children(parts)}</>;
}

export const BanNotice = ({ ban }: { ban: Problem }) => <OnDemand>{({ BanPage }) => <BanPage ban={ban} />}</OnDemand>;

export const AnimationPicture = (finished: FinishedGame) => (
  <OnDemand>{(parts) => <parts.AnimationPicture {...finished} />}</OnDemand>
);

export const ReportForm = (form: { choices: readonly Reportable[]; close: () => void }) => (
  <OnDemand>{({ ReportDialog }) => <ReportDialog {...form} />}</OnDemand>
);

/** Show each warning once in this browser. */
export function WarningNotice() {
  const { me } = usePageContext();
  const [seen, setSeen] = useState(() => browserStore.read<string>(SEEN_KEY));
  const warning = me.standing?.warning;
  if (!warning || warning.at === seen) return null;
  const close = () => {
    browserStore.write(SEEN_KEY, warning.at);
    setSeen(warning.at);
  };
  return <OnDemand>{({ WarningDialog }) => <WarningDialog reason={warning.reason ?? ""} close={close} />}</OnDemand>;
}
