/** Properties of the device: the size of the screen, a preference for reduced motion, and a name. */
import { useEffect, useState } from "preact/hooks";

/** Media queries. The style sheets contain the same ones. */
export const PHONE = "(max-width: 43rem)";
export const ONE_COLUMN = "(max-width: 64rem)";
export const PORTRAIT = "(max-aspect-ratio: 5/4)";
export const LOW = "(orientation: landscape) and (max-height: 30rem)";

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setMatches(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return matches;
}

export const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Return a name for this browser in the list of devices, such as `Firefox, Linux`. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const find = (names: readonly string[], pattern: (name: string) => string) =>
    names.find((name) => new RegExp(pattern(name)).test(userAgent));
  const browser = find(["Firefox", "Edg", "OPR", "Chrome", "Safari"], (name) => `${name}/`) ?? "Browser";
  const system = find(["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"], (name) => name);
  const name = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system ? `${name}, ${system}` : name;
}
