/** The card of the animation of a finished game. */
import type { Client } from "@azul-games/client";
import { type ComponentType, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import type { Game } from "../game/live";
import { usePageContext } from "../shared/context";

export interface FinishedGame {
  client: Client;
  game: Game;
}

/** Shows the animation. Few people open it, so its code is loaded then. */
export const AnimationContext = createContext<ComponentType<FinishedGame>>(() => null);

/** The animation is fetched when the card is opened, because drawing it takes the service a second. */
export function Animation(finished: FinishedGame) {
  const { words } = usePageContext();
  const Picture = useContext(AnimationContext);
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card animation" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.animation.title}</summary>
      {isOpen && <Picture {...finished} />}
    </details>
  );
}
