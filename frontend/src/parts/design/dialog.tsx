/** Dialogs over the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useCommonContext } from "../../shared/context";
import { Button } from "./button";

/** A dialog that is open while it is rendered. `close` is also called for the Escape key. */
export function Dialog({
  title,
  role,
  close,
  children,
}: {
  title: string;
  role?: "alertdialog" | undefined;
  close: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} role={role} aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** A question before an action that cannot be undone. */
export function Confirmation({
  title,
  text,
  yes,
  isBusy = false,
  confirm,
  close,
}: {
  title: string;
  text?: string;
  yes: string;
  isBusy?: boolean;
  confirm: () => void;
  close: () => void;
}) {
  const { words } = useCommonContext();
  return (
    <Dialog title={title} role="alertdialog" close={close}>
      {text && <p>{text}</p>}
      <div class="tools">
        <button autofocus onClick={close}>
          {words.cancel}
        </button>
        <Button class="danger" whyNot={isBusy && words.busy} onClick={confirm}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
