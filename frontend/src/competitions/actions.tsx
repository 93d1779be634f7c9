/** What one can do in a competition: join it, leave it, pause; as its host start it, or call it off. */
import { unwrap } from "azul-games-client";
import { useState } from "preact/hooks";
import { NameField } from "../parts/name_field";
import { usePageContext } from "../shared/context";
import { useResultToast } from "../shared/fetching";
import { type Competition, invitationTo, type Standing } from "./competition";

interface Deciding {
  competition: Competition;
  accept: (competition: Competition) => void;
}

/** One thing at a time is asked of the service, which answers with the competition after that. */
function useDeciding({ competition, accept }: Deciding) {
  const { me } = usePageContext();
  const asking = useResultToast();
  const [busy, setBusy] = useState(false);
  const params = { path: { competition_id: competition.id } };
  const run = (ask: () => Promise<Competition>) => {
    setBusy(true);
    return asking(ask().then(accept)).finally(() => setBusy(false));
  };
  return {
    busy,
    join: (invitation: string) =>
      run(async () => {
        const body = {
          invitation: invitation || null,
          mixed: competition.rated && competition.open_to === "everybody",
        };
        return unwrap(await (await me.client()).POST("/v1/competitions/{competition_id}/join", { params, body }));
      }),
    leave: () =>
      run(async () =>
        unwrap(await (await me.client()).POST("/v1/competitions/{competition_id}/leave", { params, body: {} })),
      ),
    start: () =>
      run(async () =>
        unwrap(await (await me.client()).POST("/v1/competitions/{competition_id}/start", { params, body: {} })),
      ),
    cancel: () =>
      run(async () => {
        unwrap(await (await me.client()).DELETE("/v1/competitions/{competition_id}", { params }));
        return { ...competition, status: "cancelled" as const, version: competition.version + 1 };
      }),
  };
}

export function Taking({ mine, ...deciding }: Deciding & { mine: Standing | null }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const { competition } = deciding;
  const { busy, join, leave } = useDeciding(deciding);
  const [sure, setSure] = useState(false);
  const isArena = competition.format === "arena";
  const running = competition.status === "running";
  if (mine === null) return running && !isArena ? null : <Joining competition={competition} busy={busy} join={join} />;
  if (mine.status === "removed") return <p>{competitions.removed}</p>;
  if (mine.status === "paused" || (mine.status === "withdrawn" && (isArena || !running))) {
    return (
      <div class="tools">
        <span>{mine.status === "paused" ? competitions.paused : competitions.withdrawn}</span>
        <button class="primary" disabled={busy} onClick={() => join("")}>
          {competitions.joinAgain}
        </button>
      </div>
    );
  }
  if (mine.status === "withdrawn") return <p>{competitions.withdrawn}</p>;
  const said = mine.game_id !== null ? competitions.entered : running ? competitions.waits : competitions.enteredComing;
  if (sure) {
    return (
      <Sure
        question={competitions.leaveSure}
        yes={competitions.leave}
        busy={busy}
        act={() => leave().then(() => setSure(false))}
        back={() => setSure(false)}
      />
    );
  }
  return (
    <div class="tools">
      <span>{said}</span>
      <button disabled={busy} onClick={() => (running && !isArena ? setSure(true) : leave())}>
        {running && isArena ? competitions.pause : competitions.leave}
      </button>
    </div>
  );
}

function Joining({
  competition,
  busy,
  join,
}: {
  competition: Competition;
  busy: boolean;
  join: (invitation: string) => void;
}) {
  const { words } = usePageContext();
  const { competitions } = words;
  const brought = competition.invitation ?? invitationTo(competition.id);
  const [typed, type] = useState("");
  if (competition.open_to === "bots") return <p>{competitions.botsOnly}</p>;
  if (competition.players >= competition.most_players) return <p>{competitions.full}</p>;
  return (
    <form
      class="stack joining"
      onSubmit={(event) => {
        event.preventDefault();
        join(competition.by_invitation ? brought || typed.trim() : "");
      }}
    >
      {competition.rated && competition.open_to === "everybody" && <p class="note">{competitions.mixed}</p>}
      {competition.by_invitation && !brought && (
        <>
          <p class="note">{competitions.needsInvitation}</p>
          <label class="field">
            <span>{competitions.invitation}</span>
            <input
              required
              value={typed}
              autocomplete="off"
              onInput={({ currentTarget }) => type(currentTarget.value)}
            />
          </label>
        </>
      )}
      <NameField />
      <button class="primary" disabled={busy}>
        {competitions.join}
      </button>
    </form>
  );
}

/** What cannot be undone is asked again. */
function Sure({
  question,
  yes,
  busy,
  act,
  back,
}: {
  question: string;
  yes: string;
  busy: boolean;
  act: () => void;
  back: () => void;
}) {
  const { words } = usePageContext();
  return (
    <div class="sure stack" role="group" aria-label={question}>
      <p>{question}</p>
      <div class="tools">
        <button class="danger" disabled={busy} onClick={act}>
          {yes}
        </button>
        <button onClick={back}>{words.cancel}</button>
      </div>
    </div>
  );
}

/** Of its host alone. */
export function HostTools(deciding: Deciding) {
  const { words } = usePageContext();
  const { competitions } = words;
  const { busy, start, cancel } = useDeciding(deciding);
  const [sure, setSure] = useState(false);
  const { status, players } = deciding.competition;
  if (sure) {
    return (
      <Sure
        question={competitions.cancelSure}
        yes={competitions.cancelYes}
        busy={busy}
        act={cancel}
        back={() => setSure(false)}
      />
    );
  }
  return (
    <div class="tools">
      {status === "coming" && (
        <>
          <button class="primary" disabled={busy || players < 2} onClick={start}>
            {competitions.start}
          </button>
          {players < 2 && <span class="note">{competitions.startNeeds}</span>}
        </>
      )}
      <button class="quiet danger" onClick={() => setSure(true)}>
        {competitions.cancel}
      </button>
    </div>
  );
}
