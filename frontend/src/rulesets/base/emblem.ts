/** Parts of emblems. */

/** Return equally spaced angles in degrees. */
export const anglesAround = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => from + (360 / count) * at);

export const COLOURS = ["#2a6fc9", "#f0b429", "#d6352f", "#68728a", "#2f9e8f", "#8a4fbf"];
