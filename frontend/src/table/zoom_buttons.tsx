/** Buttons and keys for the zoom. */
import type { RefObject } from "preact";
import type { Stage } from "../game/stage/stage";
import { usePageContext } from "../shared/context";
import { useKeys } from "../shared/keys";

const TABLE_SELECTOR = "section.table";

export function ZoomButtons({ stage }: { stage: RefObject<Stage | null> }) {
  const { choosing } = usePageContext().words;
  useKeys((event) => {
    // Elsewhere these keys have other meanings.
    const isHere = event.target instanceof Element && event.target.closest(TABLE_SELECTOR);
    if (!isHere || event.ctrlKey || event.metaKey || event.altKey) return;
    if (stage.current?.zoom.handleKey(event.key)) event.preventDefault();
  });
  const button = (key: string, sign: string, label: string) => (
    <button aria-label={label} title={label} onClick={() => stage.current?.zoom.handleKey(key)}>
      {sign}
    </button>
  );
  return (
    <div class="zoom-buttons" role="group" aria-label={choosing.zoom}>
      {button("-", "−", choosing.farther)}
      {button("0", "1:1", choosing.whole)}
      {button("+", "+", choosing.nearer)}
    </div>
  );
}
