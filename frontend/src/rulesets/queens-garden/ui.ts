/** The guided moves, lesson, animations and log texts of Queen's Garden. */
export { lesson } from "./coach";
export { guide } from "./guide";
export { moves, scorings } from "./log";
export { flights, targets } from "./motion";
export { words } from "./words";
