/** What every page may show of Azul. */
export { Emblem } from "./emblem";
export { words } from "./words";

/** Determines the first deal of the lesson. */
export const lessonSeed = 4;
