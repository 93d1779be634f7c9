import { useAround } from "./context";

/** Asks for one's name, which is remembered. */
export function NameField() {
  const { words, settings, change } = useAround();
  return (
    <label class="field">
      <span>{words.yourName}</span>
      <input
        maxLength={40}
        value={settings.name}
        onInput={({ currentTarget }) => change({ name: currentTarget.value })}
      />
    </label>
  );
}
