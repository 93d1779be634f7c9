/** The dialog in which a moderator acts on a player. */
import { useState } from "preact/hooks";
import { SelectField } from "../../parts/fields";
import { useAdmin } from "../context";
import { ReasonDialog } from "../reason_dialog";
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
  const { reason: isForPlayer = false, end } = NEEDS[act];
  const [days, setDays] = useState(end === undefined ? 0 : DEFAULT_DAYS);
  return (
    <ReasonDialog
      title={words.actTitle(words.acts[act], player)}
      text={words.effects[act]}
      yes={words.acts[act]}
      label={isForPlayer ? words.reasonForPlayer : words.reasonForLog}
      isRequired={isForPlayer}
      isDangerous={IS_DANGEROUS.has(act)}
      send={(reason) => send({ reason, until: days === 0 ? null : endOf(days, Date.now()) })}
      close={close}
    >
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
    </ReasonDialog>
  );
}
