/** The player's own account: name, handle, sign-in, devices, blocked players and deletion. */
import { type Client, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { OwnReports, StandingCard } from "../moderation/account_cards";
import { Button } from "../parts/design/button";
import { Confirmation } from "../parts/design/dialog";
import { Checkbox } from "../parts/fields";
import { Header } from "../parts/header";
import { NameField, NameInput } from "../parts/name_field";
import { saveFile } from "../parts/sharing";
import { useClient, usePageContext } from "../shared/context";
import { onSubmit, useResultToast } from "../shared/fetching";
import type { Player } from "../shared/me";
import { links } from "../shared/route";
import { BlockedPlayers, Devices, Identities, SignInButtons, useProviders } from "./access";

export function Account() {
  const { words, me } = usePageContext();
  const { people } = words;
  return (
    <>
      <Header />
      <main class="wide account">
        <h1 tabIndex={-1}>{people.account}</h1>
        {me.token === null ? <NewPlayer /> : me.player ? <AccountColumns player={me.player} /> : <p>{words.loading}</p>}
      </main>
    </>
  );
}

function NewPlayer() {
  const { words, me, settings } = usePageContext();
  const { people } = words;
  const showResult = useResultToast();
  const client = useClient(null);
  const providers = useProviders();
  return (
    <section class="card stack">
      <p>{people.nobodyYet}</p>
      <NameField />
      <Button
        class="primary"
        whyNot={!settings.name.trim() && people.needsName}
        onClick={() => showResult(me.client())}
      >
        {people.beginPlayer}
      </Button>
      {providers.length > 0 && (
        <>
          <p>{people.orSignIn}</p>
          <SignInButtons client={client} providers={providers} />
        </>
      )}
    </section>
  );
}

function AccountColumns({ player }: { player: Player }) {
  const client = useClient(usePageContext().me.token);
  return (
    <div class="columns">
      <div class="column">
        <StandingCard />
        <Names player={player} client={client} />
        <Identities client={client} />
        <DataCard client={client} />
      </div>
      <div class="column">
        <Devices client={client} />
        <BlockedPlayers client={client} />
        <OwnReports client={client} />
      </div>
    </div>
  );
}

/** The pattern of the API document, with the backslash that browsers need. */
const HANDLE = "[A-Za-z][A-Za-z0-9]*([_\\-][A-Za-z0-9]+)*";

function Names({ player, client }: { player: Player; client: Client }) {
  const { words, me, settings, changeSettings } = usePageContext();
  const { people } = words;
  const showResult = useResultToast();
  const [name, setName] = useState(player.name ?? "");
  const [handle, setHandle] = useState(player.handle ?? "");
  const saveName = async () => {
    const saved = unwrap(await client.PATCH("/v1/me", { body: { name: name.trim() || null } }));
    me.update(saved);
    setName(saved.name ?? "");
    changeSettings({ name: saved.name ?? "" });
  };
  const saveHandle = async () => {
    if (handle) me.update(unwrap(await client.PUT("/v1/me/handle", { body: { handle } })));
    else {
      unwrap(await client.DELETE("/v1/me/handle"));
      me.update({ ...player, handle: null });
    }
  };
  const submit = (save: () => Promise<void>) => onSubmit(() => showResult(save(), people.saved));
  return (
    <section class="card stack">
      <h2>{people.whoYouAre}</h2>
      <form class="line" onSubmit={submit(saveName)}>
        <NameInput label={people.name} value={name} change={setName} />
        <button aria-label={`${people.save}: ${people.name}`}>{people.save}</button>
      </form>
      <form class="line" onSubmit={submit(saveHandle)}>
        <label class="field">
          <span>{people.handle}</span>
          <input
            minLength={3}
            maxLength={15}
            pattern={HANDLE}
            title={people.handleForm}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="handle-form"
            value={handle}
            onInput={({ currentTarget }) => setHandle(currentTarget.value)}
          />
        </label>
        <button aria-label={`${people.save}: ${people.handle}`}>{people.save}</button>
      </form>
      <p class="note" id="handle-form">
        {people.handleForm}
      </p>
      <Checkbox
        label={people.unseen}
        checked={settings.unseen}
        toggle={(checked) => changeSettings({ unseen: checked })}
      />
      <a href={links.player(player.id)}>{people.asOthersSee}</a>
    </section>
  );
}

/** Export of all data, sign-out and deletion. */
function DataCard({ client }: { client: Client }) {
  const { words, me } = usePageContext();
  const { people } = words;
  const showResult = useResultToast();
  const [confirming, setConfirming] = useState<"out" | "delete" | null>(null);
  const exportData = async () => {
    const text = JSON.stringify(unwrap(await client.GET("/v1/me/export")), null, 2);
    saveFile(new File([text], "azul-player.json", { type: "application/json" }));
  };
  const signOut = async () => {
    const { tokens } = unwrap(await client.GET("/v1/me/tokens"));
    const current = tokens.find((token) => token.current);
    if (current) {
      unwrap(await client.DELETE("/v1/me/tokens/{token_id}", { params: { path: { token_id: current.id } } }));
    }
    me.leave();
  };
  const remove = async () => {
    unwrap(await client.DELETE("/v1/me"));
    me.leave();
  };
  return (
    <section class="card stack">
      <h2>{people.data}</h2>
      <div class="tools">
        <button onClick={() => showResult(exportData())}>{people.export}</button>
        <button onClick={() => setConfirming("out")}>{people.signOut}</button>
        <button class="danger" onClick={() => setConfirming("delete")}>
          {people.delete}
        </button>
      </div>
      {confirming && (
        <Confirmation
          title={confirming === "out" ? people.signOut : people.delete}
          text={confirming === "out" ? people.signOutSure : people.deleteSure}
          yes={confirming === "out" ? people.signOutYes : people.deleteYes}
          confirm={() => {
            setConfirming(null);
            showResult(confirming === "out" ? signOut() : remove(), confirming === "out" ? people.out : people.deleted);
          }}
          close={() => setConfirming(null)}
        />
      )}
    </section>
  );
}
