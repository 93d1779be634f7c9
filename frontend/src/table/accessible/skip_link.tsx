/** A link to the board. It follows the heading, which has the focus first, so the Tab key finds it next. */
import { usePageContext } from "../../shared/context";

export function SkipLink() {
  const { choosing } = usePageContext().words;
  const skip = (event: Event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>(".board")?.focus();
  };
  return (
    <a class="skip" href={location.hash} onClick={skip}>
      {choosing.toBoard}
    </a>
  );
}
