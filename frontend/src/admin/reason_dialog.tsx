/** A field for a reason, and a question with one before an act that cannot be undone. */
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

/** `send` receives null for no reason. */
export function ReasonDialog({
  title,
  text,
  yes,
  send,
  close,
}: {
  title: string;
  text: string;
  yes: string;
  send: (reason: string | null) => void;
  close: () => void;
}) {
  const { words } = useAdmin();
  const [reason, setReason] = useState("");
  const submit = () => {
    close();
    send(reason.trim() || null);
  };
  return (
    <Dialog title={title} role="alertdialog" close={close}>
      <form class="stack" onSubmit={onSubmit(submit)}>
        <p>{text}</p>
        <ReasonField label={words.reasonForLog} value={reason} change={setReason} />
        <div class="tools">
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
          <button class="danger">{yes}</button>
        </div>
      </form>
    </Dialog>
  );
}
