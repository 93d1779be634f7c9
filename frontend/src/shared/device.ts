/** Properties of the device: the size of the screen, and a preference for reduced motion. */
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
