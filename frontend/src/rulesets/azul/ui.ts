/** The guided moves, lesson, animations and log texts of Azul. */
export { lesson } from "./coach";
export { guide } from "./guide";
export { moves, scorings } from "./log";
export { flights, targets } from "./motion";
export { words } from "./words";

/** The corner radius of tiles, as a share of their size. */
export const roundness = 0.2;
