/** What moderators have imposed on the reader for a time. */
import { useEffect, useReducer } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { formatMoment } from "./player_link";
import { ConductLink } from "./rules";

/** The longest timer of browsers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Return until when the reader is muted or excluded from rated games, or null. At the end, render again. */
export function useImposed(name: "muted_until" | "unrated_until"): string | null {
  const { me } = usePageContext();
  const [timers, restart] = useReducer((before: number) => before + 1, 0);
  const until = me.standing?.[name] ?? null;
  const leftMs = until === null ? 0 : Date.parse(until) - Date.now();
  useEffect(() => {
    if (leftMs <= 0) return;
    const timer = setTimeout(restart, Math.min(leftMs, MAX_TIMER_MS), undefined);
    return () => clearTimeout(timer);
  }, [until, timers]);
  return leftMs > 0 ? until : null;
}

/** Why the reader cannot write or play rated games, and until when. */
export function ImposedNote({ kind, until }: { kind: "muted" | "excluded"; until: string }) {
  const { words, settings, me } = usePageContext();
  const reason = me.standing?.[kind === "muted" ? "muted_reason" : "unrated_reason"];
  return (
    <p class="note">
      {words.moderation[kind](formatMoment(until, settings.language))} {reason && words.moderation.banReason(reason)}{" "}
      <ConductLink />
    </p>
  );
}
