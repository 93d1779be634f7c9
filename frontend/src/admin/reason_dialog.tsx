/** Fields for a reason and a time, and a question with a reason before an act. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/design/dialog";
import { onSubmit } from "../shared/fetching";
import { useAdmin } from "./context";

const MAX_REASON = 500;

export function ReasonField({
  label,
  isRequired = false,
  value,
  change,
}: {
  label: string;
  isRequired?: boolean;
  value: string;
  change: (reason: string) => void;
}) {
  return (
    <label class="long">
      <span>{label}</span>
      <textarea
        rows={3}
        maxLength={MAX_REASON}
        required={isRequired}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}

/** Return the value of a field of local time as the service expects it; null if it is empty. */
export const asInstant = (local: string): string | null => (local ? new Date(local).toISOString() : null);

export function TimeField({ label, value, change }: { label: string; value: string; change: (local: string) => void }) {
  return (
    <label class="long">
      <span>{label}</span>
      <input type="datetime-local" value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />
    </label>
  );
}

/** `label`: what the reason is for; `send` receives null for no reason; `children`: further fields. */
export function ReasonDialog({
  title,
  text,
  yes,
  label,
  isRequired = false,
  isDangerous = true,
  send,
  close,
  children,
}: {
  title: string;
  text: string;
  yes: string;
  label?: string;
  isRequired?: boolean;
  isDangerous?: boolean;
  send: (reason: string | null) => void;
  close: () => void;
  children?: ComponentChildren;
}) {
  const { words } = useAdmin();
  const [reason, setReason] = useState("");
  const submit = () => {
    close();
    send(reason.trim() || null);
  };
  return (
    <Dialog title={title} role={isDangerous ? "alertdialog" : undefined} close={close}>
      <form class="stack" onSubmit={onSubmit(submit)}>
        <p>{text}</p>
        {children}
        <ReasonField label={label ?? words.reasonForLog} isRequired={isRequired} value={reason} change={setReason} />
        <div class="tools">
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
          <button class={isDangerous ? "danger" : "primary"}>{yes}</button>
        </div>
      </form>
    </Dialog>
  );
}
