/** Buttons that say why they cannot be used. */
import type { ComponentProps } from "preact";
import { useCommonContext } from "../../shared/context";

/**
 * A button. With `whyNot`, a reason why it cannot be used now, it stays in the order of the Tab key, names the reason
 * to pointers and screen readers, and shows it when it is pressed.
 */
export function Button({ whyNot, ...attributes }: ComponentProps<"button"> & { whyNot: string | false }) {
  const { toast } = useCommonContext();
  if (!whyNot) return <button {...attributes} />;
  const explain = (event: Event) => {
    event.preventDefault(); // does not send the form
    toast(whyNot);
  };
  return <button {...attributes} aria-disabled="true" title={whyNot} onClick={explain} />;
}
