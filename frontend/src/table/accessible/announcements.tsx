/** Sentences for screen readers: the others' moves, scores after a round, whose turn it is, and the current question. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Game } from "../../game/live";
import { nameOf, textAfterSeat } from "../../game/players";
import type { GameEvent } from "../../rulesets/base/events";
import type { Step } from "../../rulesets/base/steps";
import { moveText } from "../../rulesets/log";
import { usePageContext } from "../../shared/context";
import type { Words } from "../../shared/words";
import { signed } from "../../shared/words/plural";
import { immediatePoints, scoreHistory } from "../scores/score_history";

const MAX_LINES = 10;
/** Other events than moves that change the table. */
const ANNOUNCED_KINDS: readonly string[] = ["takeback", "resignation", "timeout", "pause", "resume"];

interface AnnouncedGame {
  game: Game;
  seats: readonly number[];
  events: readonly GameEvent[];
}

/** Return an event in sentences: the move of another player, and the scores if it ended a round. */
function eventSentences(event: GameEvent, { game, seats, events }: AnnouncedGame, words: Words): string[] {
  const sentences: string[] = [];
  const { kind, seat, revision } = event;
  const move = moveText(event, words, game.variant);
  const isOthersMove = kind === "action" && seat !== null && !seats.includes(seat);
  if (isOthersMove && move !== null) {
    const points = immediatePoints(event, words);
    const gain = points ? `, ${signed(points)}` : "";
    sentences.push(`${nameOf(game, seat, words)} ${move}${gain}.`);
  } else if (isOthersMove || ANNOUNCED_KINDS.includes(kind))
    sentences.push(seat === null ? event.text : nameOf(game, seat, words) + textAfterSeat(event.text, seat, words));
  if (!event.effects.some(({ type }) => type.endsWith(".round_ended"))) return sentences;
  for (const { round, scores } of scoreHistory(events, game).filter((each) => each.revision === revision)) {
    const standings = scores.map((score, at) => `${nameOf(game, at, words)} ${words.points(score)}`);
    sentences.push(`${words.scoring.round(round)}: ${standings.join(", ")}.`);
  }
  return sentences;
}

const endSentence = (text: string): string => (/[.?…]$/.test(text) ? text : `${text}.`);

/** A live region. Each change is announced once, after the picture shows it. */
export function Announcements({
  status,
  shownRevision,
  step,
  counts,
  ...announced
}: AnnouncedGame & { status: string; shownRevision: number; step: Step | null; counts: readonly number[] }) {
  const { words } = usePageContext();
  const { game, events } = announced;
  const [lines, setLines] = useState<readonly { key: number; text: string }[]>([]);
  const lastRevision = useRef(0);
  const lastParts = useRef<readonly string[]>([]);
  const isSettled = shownRevision > 0 && shownRevision === game.revision;
  const question = step && step.kind !== "ready" ? step.question : "";
  const description = (step?.kind === "some" && step.describe?.(counts)) || "";
  useEffect(() => {
    if (!isSettled) return;
    const isNew = ({ revision }: GameEvent) => revision > lastRevision.current && revision <= shownRevision;
    const news = lastRevision.current
      ? events.filter(isNew).flatMap((event) => eventSentences(event, announced, words))
      : []; // older than the page
    const parts = [status, question, description];
    const changed = parts.filter(
      (part) => part && ((news.length && part === status) || !lastParts.current.includes(part)),
    );
    lastRevision.current = shownRevision;
    lastParts.current = parts;
    const text = [...news, ...changed.map(endSentence)].join(" ");
    if (text) setLines((before) => [...before.slice(1 - MAX_LINES), { key: (before.at(-1)?.key ?? 0) + 1, text }]);
  }, [shownRevision, isSettled, status, question, description]);
  return (
    <div class="unseen" role="log">
      {lines.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}
