/** The form for an API key, shown when the service requires one. */
import { ProblemError, unwrap } from "@azul-games/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { createClient } from "../shared/client";
import { errorText, usePageContext } from "../shared/context";
import { onSubmit } from "../shared/fetching";
import { Button } from "./design/button";
import { Header } from "./header";

export function KeyCard({ refused, accept }: { refused: ProblemError; accept: (key: string) => void }) {
  const { words, settings } = usePageContext();
  const [key, setKey] = useState("");
  const [error, setError] = useState<unknown>(refused);
  const [isBusy, setIsBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async () => {
    const apiKey = key.trim();
    setIsBusy(true);
    setError(null);
    try {
      unwrap(await createClient(null, { ...settings, apiKey }).GET("/v1/levels"));
      accept(apiKey);
    } catch (error) {
      setError(error);
      setIsBusy(false);
      field.current?.focus();
    }
  };
  return (
    <>
      <Header />
      <main class="create">
        <form class="card" onSubmit={onSubmit(submit)}>
          <h1>{words.key}</h1>
          <p id="key-refused" role="alert">
            {error !== null &&
              ((error instanceof ProblemError && words.keyRefused[error.code]) || errorText(error, words))}
          </p>
          <label class="field">
            <span>{words.key}</span>
            <input
              ref={field}
              autocomplete="off"
              spellcheck={false}
              pattern="\s*[!-~]*\s*"
              aria-describedby="key-refused"
              value={key}
              onInput={({ currentTarget }) => setKey(currentTarget.value)}
            />
          </label>
          <p class="note">{words.keyFrom}</p>
          <Button class="primary" whyNot={isBusy && words.busy}>
            {words.goOn}
          </Button>
        </form>
      </main>
    </>
  );
}
