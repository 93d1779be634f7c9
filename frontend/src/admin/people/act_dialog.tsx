/** The dialog in which a moderator acts on a player. */
import { useState } from "preact/hooks";
import { Dialog } from "../../parts/design/dialog";
import { SelectField } from "../../parts/fields";
import { onSubmit } from "../../shared/fetching";
import { useAdmin } from "../context";
import { ReasonField } from "../reason_dialog";
import { type Act, endOf, IS_DANGEROUS, NEEDS, PERIODS } from "./acts";

const DEFAULT_DAYS = 7;

export interface ActDetails {
  reason: string | null;
  until: string | null;
}

/** Ask for the reason and end of an act. `player`: the name to show. */
export function ActDialog({
  act,
  player,
  send,
  close,
}: {
  act: Act;
  player: string;
  send: (details: ActDetails) => void;
  close: () => void;
}) {
  const { words } = useAdmin();
  const { reason: isReasonRequired = false, end } = NEEDS[act];
  const [reason, setReason] = useState("");
  const [days, setDays] = useState(end === undefined ? 0 : DEFAULT_DAYS);
  const submit = () => send({ reason: reason.trim() || null, until: days === 0 ? null : endOf(days, Date.now()) });
  return (
    <Dialog title={words.actTitle(words.acts[act], player)} close={close}>
      <form class="stack" onSubmit={onSubmit(submit)}>
        <p class="note">{words.effects[act]}</p>
        {end !== undefined && (
          <SelectField label={words.period} value={days} choose={(chosen) => setDays(Number(chosen))}>
            {PERIODS.map((each) => (
              <option key={each} value={each}>
                {words.days(each)}
              </option>
            ))}
            {end === "optional" && <option value={0}>{words.forGood}</option>}
          </SelectField>
        )}
        <ReasonField
          label={isReasonRequired ? words.reasonForPlayer : words.reasonForLog}
          isRequired={isReasonRequired}
          value={reason}
          change={setReason}
        />
        <div class="tools">
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
          <button class={IS_DANGEROUS.has(act) ? "danger" : "primary"} disabled={isReasonRequired && !reason.trim()}>
            {words.acts[act]}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
