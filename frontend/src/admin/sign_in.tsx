/** The form for a token of staff, which this tab keeps until it is closed. */
import { ProblemError } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { createClient, KEY_CODES } from "../shared/client";
import { errorText, useCommonContext } from "../shared/context";
import { onSubmit } from "../shared/fetching";
import { tabStore } from "../shared/store";
import { asStaff, type Role, roleOf } from "./context";
import type { AdminWords } from "./words/en";

export interface Session {
  token: string;
  role: Role;
}

const KEY = "azul-admin-session";

export const storedSession = (): Session | null => tabStore.read<Session>(KEY);

export const storeSession = (session: Session | null): void => tabStore.write(KEY, session);

export function SignIn({ words, accept }: { words: AdminWords; accept: (session: Session) => void }) {
  const { settings, changeSettings } = useCommonContext();
  const [token, setToken] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const needsKey = error instanceof ProblemError && KEY_CODES.includes(error.code);
  const submit = async () => {
    setIsBusy(true);
    setError(null);
    const sent = token.trim();
    try {
      accept({ token: sent, role: await roleOf(asStaff(createClient(sent, settings))) });
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  };
  return (
    <main class="create">
      <form class="card" onSubmit={onSubmit(submit)}>
        <h1>{words.signIn}</h1>
        <label class="field">
          <span>{words.token}</span>
          <input
            type="password"
            required
            autofocus
            autocomplete="off"
            aria-describedby="token-note"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <p class="note" id="token-note">
          {words.tokenNote}
        </p>
        {(needsKey || settings.apiKey) && (
          <label class="field">
            <span>{words.apiKey}</span>
            <input
              autocomplete="off"
              value={settings.apiKey}
              onInput={({ currentTarget }) => changeSettings({ apiKey: currentTarget.value.trim() })}
            />
          </label>
        )}
        <p role="alert">{error !== null && errorText(error, words)}</p>
        <Button class="primary" whyNot={isBusy && words.busy}>
          {words.signIn}
        </Button>
      </form>
    </main>
  );
}
