/** Fields for names. The player's name is a field at first, later a text with a button to change it. */
import { unwrap } from "@azul-games/client";
import { useId, useState } from "preact/hooks";
import { usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import type { Me } from "../shared/me";
import type { Settings } from "../shared/store";
import { chosenName } from "./player_link";

const MAX_NAME = 40;

/** Return whether the service refuses the name. It counts code points, unlike the attribute `maxlength`. */
const isTooLong = (name: string): boolean => [...name.normalize("NFKC").trim()].length > MAX_NAME;

/** Return the name that others see, or an empty text. */
export const ownName = (settings: Settings, me: Me): string => (chosenName(me.player) ?? settings.name).trim();

/** A field for a name, with a note if the name is too long. Its form is not sent then. */
export function NameInput({
  label,
  value,
  change,
  save,
  placeholder,
  autocomplete,
}: {
  label: string;
  value: string;
  change: (name: string) => void;
  /** Called when the player has finished typing. */
  save?: (name: string) => void;
  placeholder?: string;
  autocomplete?: "nickname";
}) {
  const { words } = usePageContext();
  const id = useId();
  const problem = isTooLong(value) ? words.sharing.nameTooLong(MAX_NAME) : "";
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <input
          dir="auto"
          placeholder={placeholder}
          autocomplete={autocomplete}
          value={value}
          ref={(input) => input?.setCustomValidity(problem)}
          aria-invalid={!!problem}
          aria-describedby={problem ? id : undefined}
          onInput={({ currentTarget }) => change(currentTarget.value)}
          onChange={({ currentTarget }) => save?.(currentTarget.value)}
        />
      </label>
      {problem && (
        <p class="note invalid" id={id} role="status">
          {problem}
        </p>
      )}
    </>
  );
}

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
    if (me.player === null || (me.player.name ?? "") === name.trim() || isTooLong(name)) return;
    me.update(unwrap(await (await me.client()).PATCH("/v1/me", { body: { name: name.trim() || null } })));
  };
  return (
    <NameInput
      label={words.yourName}
      value={settings.name}
      change={edit}
      autocomplete="nickname"
      save={(name) => showResult(save(name))}
    />
  );
}
