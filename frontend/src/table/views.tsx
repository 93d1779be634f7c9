/** The layout of the picture, the part of it that the page shows, and buttons to choose another part. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Game } from "../game/live";
import { nameOf } from "../game/players";
import type { Layout } from "../game/source";
import type { Stage, View } from "../game/stage/stage";
import type { Option } from "../rulesets/base/steps";
import { usePageContext } from "../shared/context";
import { LOW, ONE_COLUMN, PHONE, PORTRAIT, useMedia } from "../shared/device";
import { ZoomButtons } from "./zoom_buttons";

/** The whole table is shown only if the smallest piece to click is at least as large. */
export const MIN_PIECE_PX = 24;

/**
 * Return the layout in which the picture is largest on this screen, and whether the screen is too small for the whole
 * table.
 */
export function useLayout(seats: number): { layout: Layout; isPartial: boolean } {
  const [isPhone, isOneColumn, isPortrait, isLow] = [PHONE, ONE_COLUMN, PORTRAIT, LOW].map(useMedia);
  const isFolded = !isLow && (isPhone || (seats > 2 && isPortrait && isOneColumn));
  const isBeside = seats > 2 && !isPortrait && !isLow;
  return { layout: isFolded ? "narrow" : isBeside ? "columns" : "wide", isPartial: !!isFolded || !!isLow };
}

export interface ViewInputs {
  /** Whether the screen is too small for the whole table. */
  isPartial: boolean;
  /** What can be chosen now. */
  targets: readonly Pick<Option, "selectors">[];
  /** Whether a seat of this browser plays on. */
  isPlaying: boolean;
  /** Whether this browser has sent a decision that the table does not show yet. */
  isOwnMove: boolean;
  /** Whether the result covers the picture. */
  isCovered: boolean;
}

/**
 * Return the view that the page opens by itself: the whole table if its pieces are large enough, or else the part with
 * the pieces to click. While others decide, this is the shared supply. Below the result, the view does not change.
 */
export function useAutomaticView(
  stage: RefObject<Pick<Stage, "viewOf" | "smallestPiece"> | null>,
  { isPartial, targets, isPlaying, isOwnMove, isCovered }: ViewInputs,
): View {
  const last = useRef<View | null>(null);
  const choose = (): View => {
    if (isCovered && last.current !== null) return last.current;
    if (!isPlaying) return "all";
    const withTargets = stage.current?.viewOf(targets) ?? null;
    if (withTargets !== null) {
      const isLarge = !isPartial && (stage.current?.smallestPiece(targets) ?? 0) >= MIN_PIECE_PX;
      return isLarge ? "all" : withTargets;
    }
    if (last.current === null) return isPartial ? "market" : "all";
    return targets.length || isOwnMove || last.current === "all" ? last.current : "market";
  };
  return (last.current = choose());
}

/** Buttons that select a part of the table, scrolled to the selected one, and those for the zoom. */
export function Views({
  game,
  view,
  choose,
  stage,
}: {
  game: Game;
  view: View;
  choose: (view: View) => void;
  stage: RefObject<Stage | null>;
}) {
  const { words } = usePageContext();
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const pressed = row.current?.querySelector<HTMLElement>("[aria-pressed=true]");
    if (pressed)
      row.current?.scrollTo({ left: pressed.offsetLeft + (pressed.offsetWidth - row.current.clientWidth) / 2 });
  }, [view]);
  const button = (each: View, name: string) => (
    <button
      key={each}
      aria-pressed={view === each}
      onClick={() => choose(each)}
      data-seat-colour={typeof each === "number" ? each : undefined}
    >
      {name}
    </button>
  );
  return (
    <div class="viewing">
      <div class="views" role="group" aria-label={words.view} ref={row}>
        {button("market", words.views.market)}
        {game.seats.map((_, seat) => button(seat, nameOf(game, seat, words)))}
        {button("all", words.views.all)}
      </div>
      <ZoomButtons stage={stage} />
    </div>
  );
}
