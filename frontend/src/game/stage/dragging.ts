/** Pieces that are carried to their place by mouse or finger: to pick one up chooses it, to let it go chooses the place. */

const MIN_DISTANCE_PX = 7; // a hand trembles
const PLACES = ".board .choice";
const OVER = "over";

const CARRYING = "carrying";
const HELD = "held";

let pressedPiece: Element | null = null;

/** Whether a finger's moves are a piece's: then they do not scroll. */
export const isPressed = (): boolean => pressedPiece !== null;

/** Take a layer away; while something of it is carried it stays unseen, for a finger's moves end with what it touched. */
export function removeLayer(layer: Element): void {
  if (!document.documentElement.classList.contains(CARRYING)) return layer.remove();
  layer.removeAttribute("id");
  layer.setAttribute("class", HELD);
  for (const each of [...layer.children])
    if (each === pressedPiece) each.removeAttribute("class");
    else each.remove();
}

/** Whoever presses here and moves on carries `piece`. */
export function startDrag(
  event: PointerEvent,
  createImage: () => HTMLElement,
  pickUp: () => void,
  putBack: () => void,
): void {
  if (!event.isPrimary || event.button !== 0) return;
  const { pointerId, clientX, clientY, target } = event;
  if (target instanceof Element && target.hasPointerCapture(pointerId)) target.releasePointerCapture(pointerId);
  let dragged: HTMLElement | null = null;
  let hovered: Element | null = null;
  pressedPiece = target instanceof Element ? target.closest("[data-carried]") : null;
  const controller = new AbortController();
  const { signal } = controller;
  const hover = (place: Element | null) => {
    if (place === hovered) return;
    hovered?.dispatchEvent(new PointerEvent("pointerleave"));
    hovered?.classList.remove(OVER);
    place?.dispatchEvent(new PointerEvent("pointerenter"));
    place?.classList.add(OVER);
    hovered = place;
  };
  const placeAt = ({ clientX, clientY }: PointerEvent) =>
    document.elementFromPoint(clientX, clientY)?.closest(PLACES) ?? null;
  const move = (at: PointerEvent) => {
    if (at.pointerId !== pointerId) return;
    if (!dragged) {
      if (Math.hypot(at.clientX - clientX, at.clientY - clientY) < MIN_DISTANCE_PX) return;
      dragged = createImage();
      dragged.classList.add("carried");
      document.body.append(dragged);
      document.documentElement.classList.add(CARRYING);
      pickUp();
    }
    dragged.style.transform = `translate(${at.clientX}px, ${at.clientY}px) translate(-50%, -60%)`;
    hover(placeAt(at));
  };
  const end = (at: PointerEvent) => {
    if (at.pointerId !== pointerId) return;
    controller.abort();
    pressedPiece = null;
    if (!dragged) return;
    dragged.remove();
    document.documentElement.classList.remove(CARRYING);
    for (const each of document.querySelectorAll(`.${HELD}`)) each.remove();
    const place = at.type === "pointerup" ? placeAt(at) : null;
    hover(null);
    if (place) place.dispatchEvent(new MouseEvent("click"));
    else putBack();
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", end, { signal });
}
