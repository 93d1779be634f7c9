/** Keeps the focus of the keyboard in the table when the focused piece or button disappears. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const ON_BOARD = '#choices .choice[tabindex="0"]';
const IN_BAR =
  ".choosing :is(.options button, .counter button:last-child:not([aria-disabled]), .primary:not([aria-disabled]))";

/** Return a function that moves a lost focus to the next choice, or else to the board. */
export function useKeptFocus(table: RefObject<HTMLElement | null>): () => void {
  const last = useRef<Element | null>(null); // null: the focus is elsewhere, or a pointer is used
  useEffect(() => {
    const remember = ({ target }: Event) => {
      const isHere = target instanceof Element && table.current?.contains(target) && target.matches(":focus-visible");
      last.current = isHere ? target : null;
    };
    const forget = () => (last.current = null);
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    };
  }, []);
  return () => {
    const lost = last.current;
    if (!lost || (lost.isConnected && !lost.matches("[aria-disabled]"))) return;
    const wasOnBoard = lost instanceof SVGElement || lost.matches(".back");
    const places = [...(wasOnBoard ? [ON_BOARD, IN_BAR] : [IN_BAR, ON_BOARD]), ".board"];
    const found = places.flatMap((place) => table.current?.querySelector<HTMLElement | SVGElement>(place) ?? []);
    found[0]?.focus({ preventScroll: wasOnBoard });
  };
}
