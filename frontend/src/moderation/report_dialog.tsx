/** The form for a report. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { Dialog } from "../parts/design/dialog";
import { SelectField } from "../parts/fields";
import { ConductLink } from "../parts/rules";
import { errorText, usePageContext } from "../shared/context";
import { onSubmit } from "../shared/fetching";
import { type Reportable, reportableText } from "./report_button";

const MAX_UNITS = 1000; // 500 characters; a browser counts an emoji as two

export function ReportDialog({ choices, close }: { choices: readonly Reportable[]; close: () => void }) {
  const { words, me } = usePageContext();
  const { moderation } = words;
  const [chosen, choose] = useState(0);
  const [category, setCategory] = useState<Schemas["ReportCategory"] | "">("");
  const [text, setText] = useState("");
  const [state, setState] = useState<"open" | "sending" | "sent">("open");
  const [error, setError] = useState("");
  const object = choices[chosen] as Reportable;
  const send = async () => {
    if (category === "") return;
    setState("sending");
    setError("");
    const { name: _, ...named } = object;
    try {
      const body = { ...named, category, text: text.trim() || null };
      unwrap(await (await me.client()).POST("/v1/reports", { body }));
      setState("sent");
    } catch (refusal) {
      setError(errorText(refusal, words));
      setState("open");
    }
  };
  if (state === "sent") {
    return (
      <Dialog key="sent" title={moderation.reportTitle} close={close}>
        <p role="status">{moderation.thanks}</p>
        <div class="tools">
          <button class="primary" autofocus onClick={close}>
            {words.done}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={moderation.reportTitle} close={close}>
      <form class="stack report" onSubmit={onSubmit(send)}>
        {choices.length > 1 ? (
          <SelectField label={moderation.what} value={chosen} choose={(value) => choose(Number(value))}>
            {choices.map((each, at) => (
              <option key={at} value={at}>
                {reportableText(each, words)}
              </option>
            ))}
          </SelectField>
        ) : (
          <blockquote>{reportableText(object, words)}</blockquote>
        )}
        <SelectField
          label={moderation.reason}
          value={category}
          choose={(value) => setCategory(value as typeof category)}
          required
        >
          <option value="">{moderation.choose}</option>
          {Object.entries(words.reportCategories).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <label class="field">
          <span>{moderation.happened}</span>
          <textarea
            rows={4}
            maxLength={MAX_UNITS}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p class="note">
          {moderation.sent[object.type]} {moderation.staysSecret} <ConductLink />
        </p>
        {error && <p role="alert">{error}</p>}
        <div class="tools">
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
          <Button class="primary" whyNot={state === "sending" && words.busy}>
            {moderation.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
