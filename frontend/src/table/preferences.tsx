/** Preferences for sound, animation, contrast and the confirmation of moves. */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Game } from "../game/live";
import type { GameEvent } from "../rulesets/base/events";
import { nameOf } from "../game/players";
import { sound } from "../game/sound";
import type { StagePreferences } from "../game/stage/flight_animation";
import { Checkbox } from "../parts/fields";
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
    <details class="card">
      <summary>{scoring.preferences}</summary>
      <Checkbox label={scoring.sound} checked={settings.sound} toggle={(sound) => changeSettings({ sound })} />
      <Checkbox
        label={scoring.motion}
        checked={settings.motion && !isStill}
        disabled={isStill}
        toggle={(motion) => changeSettings({ motion })}
      />
      <Checkbox label={scoring.confirm} checked={settings.confirm} toggle={(confirm) => changeSettings({ confirm })} />
      <Checkbox
        label={scoring.contrast}
        checked={settings.contrast}
        toggle={(contrast) => changeSettings({ contrast })}
      />
      {isStill && <p class="note">{scoring.stillness}</p>}
    </details>
  );
}
