/** One's name: asked for once, then told, with a way to change it. */
import { unwrap } from "azul-games-client";
import { useState } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import type { Me } from "../shared/me";
import type { Settings } from "../shared/store";

/** By which others see whoever plays here; empty: nobody has said it yet. */
export const ownName = (settings: Settings, me: Me): string => (me.player?.name ?? settings.name).trim();

/** Asks for one's name where it is not known, and tells it where it is. */
export function NameField() {
  const { words, settings, changeSettings, me } = usePageContext();
  const showResult = useResultToast();
  const [isEditing, setIsEditing] = useState(false);
  const currentName = ownName(settings, me);
  const edit = (name: string) => {
    setIsEditing(true); // the field stays while somebody types
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
  /** A player who is there already is called so from now on, too. */
  const save = async (name: string) => {
    if (me.player === null || (me.player.name ?? "") === name.trim()) return;
    me.update(unwrap(await (await me.client()).PATCH("/v1/me", { body: { name: name.trim() || null } })));
  };
  return (
    <label class="field">
      <span>{words.yourName}</span>
      <input
        maxLength={40}
        autocomplete="nickname"
        value={settings.name}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
        onChange={({ currentTarget }) => showResult(save(currentTarget.value))}
      />
    </label>
  );
}
