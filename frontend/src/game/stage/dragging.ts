/** Drag and drop of pieces by mouse or finger. Picking up a piece chooses it; dropping it chooses the place. */

const MIN_DISTANCE_PX = 7; // shorter movements are clicks
const PLACES = ".board .choice";
const OVER = "over";

const CARRYING = "carrying";
const HELD = "held";

let pressedPiece: Element | null = null;

/** Return whether a piece is pressed. A finger that drags a piece must not scroll the page. */
export const isPressed = (): boolean => pressedPiece !== null;

/**
 * Remove a layer. If a piece of it is being dragged, hide the layer until the drop: removing the touched element would
 * end the touch events.
 */
export function removeLayer(layer: Element): void {
  if (!document.documentElement.classList.contains(CARRYING)) return layer.remove();
  layer.removeAttribute("id");
  layer.setAttribute("class", HELD);
  for (const each of [...layer.children])
    if (each === pressedPiece) each.removeAttribute("class");
    else each.remove();
}

/**
 * Start a drag as soon as the pointer has moved far enough. `createImage` returns the element that follows the pointer.
 */
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
