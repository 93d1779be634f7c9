/** Sound and motion, each of which may be turned off. */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Event, Game } from "../game/live";
import { nameOf } from "../game/players";
import { sound } from "../game/sound";
import type { StagePreferences } from "../game/stage/flight_animation";
import { scoringOf } from "../rulesets/log";
import { usePageContext } from "../shared/context";
import { prefersReducedMotion } from "../shared/device";
import { signed } from "../shared/words/plural";

/** Long enough to be followed. */
const OTHERS_MS = 600;
/** Who has decided knows what comes. */
const OURS_MS = 350;

/** How the stage shows what happens: by the settings, in the words of now. */
export function useManner(game: Game, seats: readonly number[]): RefObject<StagePreferences> {
  const around = usePageContext();
  const now = useRef({ ...around, game, seats });
  now.current = { ...around, game, seats };
  return useRef<StagePreferences>({
    isStill: () => !now.current.settings.motion || prefersReducedMotion(),
    paceOf: ({ seat }: Event) => (seat !== null && now.current.seats.includes(seat) ? OURS_MS : OTHERS_MS),
    caption: (_, effect) => {
      const { game, words } = now.current;
      const scoring = scoringOf(effect, words, game.variant);
      return scoring && `${nameOf(game, scoring.seat, words)}: ${scoring.text}  ${signed(scoring.points)}`;
    },
    skipLabel: () => now.current.words.scoring.skip,
    onScoring: (effect) => {
      if (now.current.settings.sound && "points" in effect && effect.points !== 0) sound.points(effect.points);
    },
  });
}

export function MannerCard() {
  const { words, settings, change } = usePageContext();
  const { scoring } = words;
  const still = prefersReducedMotion();
  return (
    <details class="card manner">
      <summary>{scoring.manner}</summary>
      <label>
        <input
          type="checkbox"
          checked={settings.sound}
          onChange={({ currentTarget }) => change({ sound: currentTarget.checked })}
        />
        {scoring.sound}
      </label>
      <label>
        <input
          type="checkbox"
          checked={settings.motion && !still}
          disabled={still}
          onChange={({ currentTarget }) => change({ motion: currentTarget.checked })}
        />
        {scoring.motion}
      </label>
      {still && <p class="note">{scoring.stillness}</p>}
    </details>
  );
}
