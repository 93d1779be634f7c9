/** Signals for the player's turn: the tab's title and icon, and sounds. */
import { useEffect, useRef } from "preact/hooks";
import type { LiveGame } from "../game/live";
import { nameOf, winnersOf } from "../game/players";
import { sound } from "../game/sound";
import { rulesetTexts } from "../rulesets/registry";
import { usePageContext } from "../shared/context";

/** Return the tab's icon: a tile, with a dot on our turn. */
const tabIcon = (isOurTurn: boolean): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="2" width="28" height="28" rx="7" fill="#1f6fb2"/>` +
      `<path d="M16 6l10 10-10 10L6 16z" fill="#fffaf0"/><path d="M16 11l5 5-5 5-5-5z" fill="#e0a526"/>` +
      (isOurTurn ? `<circle cx="23.5" cy="8.5" r="7.5" fill="#e2451b" stroke="#fff" stroke-width="2"/>` : "") +
      "</svg>",
  )}`;

/** Events of other seats after which it may be our turn. */
const TURN_KINDS: readonly string[] = ["start", "action", "takeback", "resume"];

/**
 * Signal turns. `shownRevision` is the revision on the table; sounds wait for the animation of the events before it.
 */
export function useAttention({ game, events }: LiveGame, seats: readonly number[], shownRevision: number): void {
  const { words, settings } = usePageContext();
  const name = game ? rulesetTexts(game.ruleset, words).name : words.title;
  const decider = game?.status === "playing" && game.paused_until === null ? game.to_decide : null;
  const isOurTurn = decider !== null && seats.includes(decider);
  const winners = game?.outcome && winnersOf(game).map((seat) => nameOf(game, seat, words));

  useEffect(() => {
    const { scoring } = words;
    if (game === null) document.title = words.title;
    else if (winners) document.title = scoring.titleOf(scoring.wins(winners), name);
    else if (isOurTurn) document.title = scoring.titleTurn(name);
    else if (decider !== null) document.title = scoring.titleOf(words.thinking(nameOf(game, decider, words)), name);
    else document.title = scoring.titleOf(name, words.title);
  });

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const before = link?.href;
    if (link) link.href = tabIcon(isOurTurn);
    return () => {
      if (link && before !== undefined) link.href = before;
    };
  }, [isOurTurn]);

  const revision = game?.revision ?? 0;
  const isShown = document.hidden || shownRevision >= revision;
  const isOver = game?.outcome != null;
  const handledRevision = useRef(0);
  const hasEnded = useRef(false);
  useEffect(() => {
    if (!isShown || revision === 0 || handledRevision.current === revision) return;
    const newEvents = events.filter((event) => event.revision > handledRevision.current);
    const isFirst = handledRevision.current === 0; // these events are older than the page
    const endsNow = isOver && !hasEnded.current;
    handledRevision.current = revision;
    hasEnded.current = isOver;
    if (isFirst || !settings.sound) return;
    if (endsNow) sound.end();
    const gaveTurn = newEvents.some(
      ({ kind, seat }) => TURN_KINDS.includes(kind) && (seat === null || !seats.includes(seat)),
    );
    if (isOurTurn && gaveTurn) sound.turn();
  }, [revision, isShown]);
}
