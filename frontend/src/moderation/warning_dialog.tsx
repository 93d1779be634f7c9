/** The last warning, shown once. */
import { Dialog } from "../parts/design/dialog";
import { ConductLink } from "../parts/rules";
import { usePageContext } from "../shared/context";

export function WarningDialog({ reason, close }: { reason: string; close: () => void }) {
  const { words } = usePageContext();
  const { moderation } = words;
  return (
    <Dialog title={moderation.warning} role="alertdialog" close={close}>
      <blockquote>{reason}</blockquote>
      <p class="note">
        {moderation.readAgain} <ConductLink />
      </p>
      <div class="tools">
        <button class="primary" autofocus onClick={close}>
          {moderation.understood}
        </button>
      </div>
    </Dialog>
  );
}
