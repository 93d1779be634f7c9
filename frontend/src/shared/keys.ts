/** Keys that are pressed anywhere on the page. */
import { useLayoutEffect } from "preact/hooks";

/** Each press is heard with what is drawn by then, however fast one follows another. */
export function useKeys(onPress: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    addEventListener("keydown", onPress);
    return () => removeEventListener("keydown", onPress);
  });
}
