/** Preferences for sound, animation, contrast and the confirmation of moves. */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Game } from "../game/live";
import type { GameEvent } from "../rulesets/base/events";
import { nameOf } from "../game/players";
import { sound } from "../game/sound";
import type { StagePreferences } from "../game/stage/flight_animation";
import { scoringOf } from "../rulesets/log";
import { usePageContext } from "../shared/context";
import { prefersReducedMotion } from "../shared/device";
import { signed } from "../shared/words/plural";

/** Long enough to follow another player's move. */
const OTHERS_MS = 600;
/** Shorter, because the player knows the own move. */
const OURS_MS = 350;

/** Return preferences that always reflect the current settings and texts. */
export function useStagePreferences(game: Game, seats: readonly number[]): RefObject<StagePreferences> {
  const context = usePageContext();
  const current = useRef({ ...context, game, seats });
  current.current = { ...context, game, seats };
  return useRef<StagePreferences>({
    isStill: () => !current.current.settings.motion || prefersReducedMotion(),
    paceOf: ({ seat }: GameEvent) => (seat !== null && current.current.seats.includes(seat) ? OURS_MS : OTHERS_MS),
    caption: (_, effect) => {
      const { game, words } = current.current;
      const scoring = scoringOf(effect, words, game.variant);
      return scoring && `${nameOf(game, scoring.seat, words)}: ${scoring.text}  ${signed(scoring.points)}`;
    },
    skipLabel: () => current.current.words.scoring.skip,
    onScoring: (effect) => {
      if (current.current.settings.sound && "points" in effect && effect.points !== 0) sound.points(effect.points);
    },
  });
}

export function PreferencesCard() {
  const { words, settings, changeSettings } = usePageContext();
  const { scoring } = words;
  const isStill = prefersReducedMotion();
  return (
    <details class="card manner">
      <summary>{scoring.manner}</summary>
      <label>
        <input
          type="checkbox"
          checked={settings.sound}
          onChange={({ currentTarget }) => changeSettings({ sound: currentTarget.checked })}
        />
        {scoring.sound}
      </label>
      <label>
        <input
          type="checkbox"
          checked={settings.motion && !isStill}
          disabled={isStill}
          onChange={({ currentTarget }) => changeSettings({ motion: currentTarget.checked })}
        />
        {scoring.motion}
      </label>
      <label>
        <input
          type="checkbox"
          checked={settings.confirm}
          onChange={({ currentTarget }) => changeSettings({ confirm: currentTarget.checked })}
        />
        {scoring.confirm}
      </label>
      <label>
        <input
          type="checkbox"
          checked={settings.contrast}
          onChange={({ currentTarget }) => changeSettings({ contrast: currentTarget.checked })}
        />
        {scoring.contrast}
      </label>
      {isStill && <p class="note">{scoring.stillness}</p>}
    </details>
  );
}
