import type { IconNode } from "lucide";
import { h } from "preact";

/** An icon of Lucide beside a text, which names it. An icon alone needs a name on its button. */
export function Icon({ icon }: { icon: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {icon.map(([tag, attributes], part) => h(tag, { key: part, ...attributes }))}
    </svg>
  );
}
