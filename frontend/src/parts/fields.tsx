/** Labelled fields of forms. */
import type { ComponentChildren } from "preact";

export function SelectField({
  label,
  value,
  choose,
  required = false,
  children,
}: {
  label: string;
  value: string | number;
  choose: (value: string) => void;
  required?: boolean;
  children: ComponentChildren;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} required={required} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {children}
      </select>
    </label>
  );
}

export function Checkbox({
  label,
  checked,
  disabled,
  title,
  toggle,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  title?: string;
  toggle: (checked: boolean) => void;
}) {
  return (
    <label class="check" title={title}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => toggle(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
