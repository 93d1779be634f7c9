/** Pieces that are carried to their place by mouse or finger: to pick one up chooses it, to let it go chooses the place. */

const FAR_PX = 7; // a hand trembles
const PLACES = ".board .choice";
const OVER = "over";

const CARRYING = "carrying";
const HELD = "held";

let pressed: Element | null = null;

/** Whether a finger's moves are a piece's: then they do not scroll. */
export const isPressed = (): boolean => pressed !== null;

/** Take a layer away; while something of it is carried it stays unseen, for a finger's moves end with what it touched. */
export function letGo(layer: Element): void {
  if (!document.documentElement.classList.contains(CARRYING)) return layer.remove();
  layer.removeAttribute("id");
  layer.setAttribute("class", HELD);
  for (const each of [...layer.children])
    if (each === pressed) each.removeAttribute("class");
    else each.remove();
}

/** Whoever presses here and moves on carries `piece`. */
export function carry(event: PointerEvent, piece: () => HTMLElement, pickUp: () => void, putBack: () => void): void {
  if (!event.isPrimary || event.button !== 0) return;
  const { pointerId, clientX, clientY, target } = event;
  if (target instanceof Element && target.hasPointerCapture(pointerId)) target.releasePointerCapture(pointerId);
  let carried: HTMLElement | null = null;
  let over: Element | null = null;
  pressed = target instanceof Element ? target.closest("[data-carried]") : null;
  const ending = new AbortController();
  const { signal } = ending;
  const reach = (place: Element | null) => {
    if (place === over) return;
    over?.dispatchEvent(new PointerEvent("pointerleave"));
    over?.classList.remove(OVER);
    place?.dispatchEvent(new PointerEvent("pointerenter"));
    place?.classList.add(OVER);
    over = place;
  };
  const placeAt = ({ clientX, clientY }: PointerEvent) =>
    document.elementFromPoint(clientX, clientY)?.closest(PLACES) ?? null;
  const move = (at: PointerEvent) => {
    if (at.pointerId !== pointerId) return;
    if (!carried) {
      if (Math.hypot(at.clientX - clientX, at.clientY - clientY) < FAR_PX) return;
      carried = piece();
      carried.classList.add("carried");
      document.body.append(carried);
      document.documentElement.classList.add(CARRYING);
      pickUp();
    }
    carried.style.transform = `translate(${at.clientX}px, ${at.clientY}px) translate(-50%, -60%)`;
    reach(placeAt(at));
  };
  const end = (at: PointerEvent) => {
    if (at.pointerId !== pointerId) return;
    ending.abort();
    pressed = null;
    if (!carried) return;
    carried.remove();
    document.documentElement.classList.remove(CARRYING);
    for (const each of document.querySelectorAll(`.${HELD}`)) each.remove();
    const place = at.type === "pointerup" ? placeAt(at) : null;
    reach(null);
    if (place) place.dispatchEvent(new MouseEvent("click"));
    else putBack();
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", end, { signal });
}
