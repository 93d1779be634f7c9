/** Whose turn it is, for who looks elsewhere: the tab's title, its icon, a sound. */
import { useEffect, useRef } from "preact/hooks";
import type { LiveGame } from "../game/live";
import { nameOf, winnersOf } from "../game/players";
import { sound } from "../game/sound";
import { rulesetTexts } from "../rulesets/registry";
import { usePageContext } from "../shared/context";

/** A tile, with a dot while one is waited for. */
const icon = (waits: boolean): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="2" width="28" height="28" rx="7" fill="#1f6fb2"/>` +
      `<path d="M16 6l10 10-10 10L6 16z" fill="#fffaf0"/><path d="M16 11l5 5-5 5-5-5z" fill="#e0a526"/>` +
      (waits ? `<circle cx="23.5" cy="8.5" r="7.5" fill="#e2451b" stroke="#fff" stroke-width="2"/>` : "") +
      "</svg>",
  )}`;

/** After these of others it may be our turn. */
const GIVES_TURN: readonly string[] = ["start", "action", "takeback", "resume"];

/** `seen`: the revision that the table shows; what is still to be seen to happen makes no sound before. */
export function useAttention({ game, events }: LiveGame, seats: readonly number[], seen: number): void {
  const { words, settings } = usePageContext();
  const name = game ? rulesetTexts(game.ruleset, words).name : words.title;
  const decides = game?.status === "playing" && game.paused_until === null ? game.to_decide : null;
  const ours = decides !== null && seats.includes(decides);
  const won = game?.outcome && winnersOf(game).map((seat) => nameOf(game, seat, words));

  useEffect(() => {
    const { scoring } = words;
    if (game === null) document.title = words.title;
    else if (won) document.title = scoring.titleOf(scoring.wins(won), name);
    else if (ours) document.title = scoring.titleTurn(name);
    else if (decides !== null) document.title = scoring.titleOf(words.thinking(nameOf(game, decides, words)), name);
    else document.title = scoring.titleOf(name, words.title);
  });

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const before = link?.href;
    if (link) link.href = icon(ours);
    return () => {
      if (link && before !== undefined) link.href = before;
    };
  }, [ours]);

  const revision = game?.revision ?? 0;
  const shown = document.hidden || seen >= revision;
  const over = game?.outcome != null;
  const heard = useRef(0);
  const ended = useRef(false);
  useEffect(() => {
    if (!shown || revision === 0 || heard.current === revision) return;
    const fresh = events.filter((event) => event.revision > heard.current);
    const opened = heard.current === 0; // on what had happened before
    const ends = over && !ended.current;
    heard.current = revision;
    ended.current = over;
    if (opened || !settings.sound) return;
    if (ends) sound.end();
    const theirs = fresh.some(
      ({ kind, seat }) => GIVES_TURN.includes(kind) && (seat === null || !seats.includes(seat)),
    );
    if (ours && theirs) sound.turn();
  }, [revision, shown]);
}
