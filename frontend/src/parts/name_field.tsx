/** The player's name: a field at first, later a text with a button to change it. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import type { Me } from "../shared/me";
import type { Settings } from "../shared/store";
import { chosenName } from "./player_link";

/** Names have 40 characters at most. A browser counts an emoji as two. */
export const NAME_UNITS = 80;

/** Return the name that others see, or an empty text. */
export const ownName = (settings: Settings, me: Me): string => (chosenName(me.player) ?? settings.name).trim();

export function NameField() {
  const { words, settings, changeSettings, me } = usePageContext();
  const showResult = useResultToast();
  const [isEditing, setIsEditing] = useState(false);
  const currentName = ownName(settings, me);
  const edit = (name: string) => {
    setIsEditing(true); // keep the field while the player types
    changeSettings({ name });
  };
  if (!isEditing && currentName) {
    return (
      <p class="known">
        <span>
          {words.sharing.youAre} <b>{currentName}</b>
        </span>
        <button type="button" class="quiet" onClick={() => edit(currentName)}>
          {words.sharing.changeName}
        </button>
      </p>
    );
  }
  /** Rename the existing player, too. */
  const save = async (name: string) => {
    if (me.player === null || (me.player.name ?? "") === name.trim()) return;
    me.update(unwrap(await (await me.client()).PATCH("/v1/me", { body: { name: name.trim() || null } })));
  };
  return (
    <label class="field">
      <span>{words.yourName}</span>
      <input
        maxLength={NAME_UNITS}
        autocomplete="nickname"
        value={settings.name}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
        onChange={({ currentTarget }) => showResult(save(currentTarget.value))}
      />
    </label>
  );
}
