/**
 * The bar below the picture: whose turn it is, the current question, and buttons for options without a place in the
 * picture.
 */
import { Check } from "lucide";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { Icon } from "../parts/design/icon";
import type { Game } from "../game/live";
import { nameOf, type PlayingProps, winnersOf } from "../game/players";
import { type MoveArrow, viewBoxOf } from "../game/stage/drawings";
import type { Recommendation } from "../game/stage/stage";
import type { Turn } from "../game/turn";
import type { CountChoice, Item, Look, Option, Step } from "../rulesets/base/steps";
import { usePageContext } from "../shared/context";
import { useKeys } from "../shared/keys";
import type { Words } from "../shared/words";
import { Hint } from "./hint";

/** Return whose turn it is, or how the game ended. */
export function statusText(game: Game, seats: readonly number[], words: Words): string {
  if (game.status === "aborted") return words.aborted;
  if (game.outcome) {
    const winners = winnersOf(game).map((seat) => nameOf(game, seat, words));
    return `${words.finished}. ${words.scoring.wins(winners)}`;
  }
  if (game.status === "finished") return words.scoring.counting;
  if (game.to_decide === null) return words.chanceDecides;
  const name = nameOf(game, game.to_decide, words);
  const { kind, status } = game.seats[game.to_decide] ?? {};
  if (kind === "ai") return words.thinking(name);
  if (status !== "active") return words.turnFor(name);
  if (!seats.includes(game.to_decide)) return words.thinking(name);
  return seats.length > 1 ? words.turnOf(name) : words.yourTurn;
}

export function MoveBar({
  client,
  game,
  turn,
  step,
  status,
  turnTools,
  showArrows,
  recommendation,
  children,
}: Pick<PlayingProps, "client" | "game"> & {
  turn: Turn;
  step: Step | null;
  status: string;
  /** What belongs to the turn, such as its clock. */
  turnTools?: ComponentChildren;
  /** Draw the arrows of a hint in the picture. */
  showArrows: (arrows: readonly MoveArrow[]) => void;
  recommendation: Recommendation | null;
  children?: ComponentChildren;
}) {
  const { words } = usePageContext();
  useKeys((event) => {
    const isFree = !(
      event.target instanceof Element &&
      "tabIndex" in event.target &&
      Number(event.target.tabIndex) >= 0
    );
    if (event.key === "Escape") turn.undo();
    else if (event.key === "Enter" && isFree) confirmStep(step, turn);
  });
  const description = step?.kind === "some" && step.describe ? step.describe(turn.counts) : null;
  const question = step && step.kind !== "ready" ? step.question : null;
  return (
    <div class="choosing">
      <p class="status">
        <strong>{status}</strong>
        {turnTools}
        {question && <span class="ask">{question}</span>}
        {description && <span class="costs">{description}</span>}
      </p>
      {step?.kind === "one" && (
        <Options
          options={step.options}
          words={words}
          choose={(option) => turn.choose([option])}
          showAll={turn.depth > 0}
          recommendation={recommendation}
        />
      )}
      {step?.kind === "some" && step.items.length > 0 && (
        <Counts step={step} counts={turn.counts} setCounts={turn.setCounts} />
      )}
      <div class="tools">
        {step?.kind === "some" && (
          <Button class="primary" whyNot={!step.isComplete(turn.counts) && step.question} onClick={turn.confirm}>
            {words.done}
          </Button>
        )}
        {turn.depth > 0 && (
          <button class="back" onClick={turn.undo}>
            {words.back}
          </button>
        )}
        {turn.depth > 1 && <button onClick={turn.cancel}>{words.cancel}</button>}
        {step && game.help && <Hint client={client} game={game} showArrows={showArrows} />}
      </div>
      {children}
    </div>
  );
}

/** Confirm the counts, or choose the only option. */
function confirmStep(step: Step | null, turn: Turn): void {
  if (step?.kind === "some") turn.confirm();
  else if (step?.kind === "one" && step.options.length === 1) turn.choose(step.options);
}

/** Buttons for options without a place in the picture, and a list of all options. */
function Options({
  options,
  words,
  choose,
  showAll,
  recommendation,
}: {
  options: readonly Option[];
  words: Words;
  choose: (option: Option) => void;
  showAll: boolean;
  recommendation: Recommendation | null;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const isShort = showAll && options.length <= 8;
  const withButton = isShort ? options : options.filter(({ selectors }) => selectors.length === 0);
  const button = (option: Option, number: number) => (
    <button
      key={`${option.label} ${number}`}
      class={recommendation?.isRecommended(option) ? "meant" : undefined}
      aria-description={recommendation?.isRecommended(option) ? recommendation.label : undefined}
      onClick={() => choose(option)}
    >
      {option.look && <PiecePicture look={option.look} />}
      {option.label}
    </button>
  );
  return (
    <>
      {withButton.length > 0 && <PieceButtons className="options">{withButton.map(button)}</PieceButtons>}
      {withButton.length < options.length && (
        <details class="all" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{words.choices(options.length)}</summary>
          {isOpen && <PieceButtons className="options">{options.map(button)}</PieceButtons>}
        </details>
      )}
    </>
  );
}

function Counts({
  step,
  counts,
  setCounts,
}: {
  step: CountChoice;
  counts: readonly number[];
  setCounts: (chosen: readonly number[]) => void;
}) {
  const { words } = usePageContext();
  const { choosing } = words;
  const changeBy = (place: number, more: number) =>
    setCounts(counts.map((count, at) => (at === place ? count + more : count)));
  const counter = (item: Item, place: number) => {
    const count = counts[place] ?? 0;
    return (
      <div key={`${item.label} ${place}`} class="counter" data-chosen={count > 0}>
        <Button
          whyNot={count === 0 && choosing.noneChosen}
          aria-label={words.oneLess(item.label)}
          onClick={() => changeBy(place, -1)}
        >
          −
        </Button>
        <span>
          {item.look && <PiecePicture look={item.look} />}
          {item.label} <b>{item.max > 1 ? `${count}/${item.max}` : count > 0 && <Icon icon={Check} />}</b>
        </span>
        <Button
          whyNot={count >= item.max ? choosing.allChosen : !step.canAdd(counts, place) && choosing.cannotAdd}
          aria-label={words.oneMore(item.label)}
          onClick={() => changeBy(place, 1)}
        >
          +
        </Button>
      </div>
    );
  };
  return <PieceButtons className="counters">{step.items.map(counter)}</PieceButtons>;
}

/** Buttons with pictures of pieces. All pictures are measured before any is changed, so the page is laid out once. */
function PieceButtons({ className, children }: { className: "options" | "counters"; children: ComponentChildren }) {
  const buttons = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const pieces = [...(buttons.current?.querySelectorAll<SVGUseElement>("svg:not([viewBox]) > use") ?? [])];
    const boxes = pieces.map((piece) => piece.getBBox());
    boxes.forEach((box, at) => box.width > 0 && pieces[at]?.ownerSVGElement?.setAttribute("viewBox", viewBoxOf(box)));
  });
  return (
    <div class={className} ref={buttons}>
      {children}
    </div>
  );
}

/** A piece of the picture, or the direction of a rotation. */
function PiecePicture({ look }: { look: Look }) {
  if ("rotation" in look) {
    const angle = (Math.PI / 3) * look.rotation;
    return (
      <svg class="piece" viewBox="-10 -10 20 20" aria-hidden="true">
        <circle r="9" class="turned" />
        <circle r="3.2" cx={5.6 * Math.cos(angle)} cy={5.6 * Math.sin(angle)} class="turned-to" />
      </svg>
    );
  }
  return (
    <svg class="piece azul-table" aria-hidden="true">
      <use href={`#${look.symbol}`} width="40" height="40" />
    </svg>
  );
}
