/** Plurals and lists by the rules of a language. */
type Choose = (count: number, one: string, other: string) => string;

interface Plurals {
  /** The form for a number, without the number: `choose(2, "falls", "fall")` is `fall`. */
  choose: Choose;
  /** The number and its form: `count(2, "tile", "tiles")` is `2 tiles`. */
  count: Choose;
  /** A list in a sentence: `Ana, Ben, and Cleo`. */
  list: (items: readonly string[]) => string;
}

export function plurals(language: "en" | "de"): Plurals {
  const rules = new Intl.PluralRules(language);
  const lists = new Intl.ListFormat(language);
  const choose: Choose = (count, one, other) => (rules.select(count) === "one" ? one : other);
  return {
    choose,
    count: (count, one, other) => `${count} ${choose(count, one, other)}`,
    list: (items) => lists.format(items),
  };
}

/** A number with a real minus sign. */
export const minus = (points: number): string => String(points).replace("-", "−");

/** Points that are gained or lost. */
export const signed = (points: number): string => (points > 0 ? `+${points}` : minus(points));
