import { Menu as MenuIcon } from "lucide";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "./icon";

/** A button that opens links and buttons. A click outside or the Escape key closes them. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <>
      <button class="quiet sign" popovertarget={id} aria-label={label} title={label}>
        <Icon icon={MenuIcon} />
      </button>
      <div class="menu" popover="auto" id={id}>
        {children}
      </div>
    </>
  );
}
