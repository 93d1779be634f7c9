import { useLayoutEffect } from "preact/hooks";

/**
 * Handle keys anywhere on the page. The handler is replaced before the next paint, so it always sees the latest state.
 */
export function useKeys(onPress: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    addEventListener("keydown", onPress);
    return () => removeEventListener("keydown", onPress);
  });
}
