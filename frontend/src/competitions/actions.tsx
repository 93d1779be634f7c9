/** Actions in a competition: join, leave and pause; for its host also start and cancel. */
import { type Client, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { Confirmation } from "../parts/design/dialog";
import { NameField } from "../parts/name_field";
import { usePageContext } from "../shared/context";
import { onSubmit, useResultToast } from "../shared/fetching";
import { type Competition, type Standing, storedInvitation } from "./competition";

interface CompetitionProps {
  competition: Competition;
  accept: (competition: Competition) => void;
}

/** Return the actions, one of which can run at a time. Each passes the changed competition to `accept`. */
function useCompetitionActions({ competition, accept }: CompetitionProps) {
  const { me } = usePageContext();
  const showResult = useResultToast();
  const [isBusy, setIsBusy] = useState(false);
  const params = { path: { competition_id: competition.id } };
  const run = (request: (client: Client) => Promise<Competition>) => {
    setIsBusy(true);
    return showResult(me.client().then(request).then(accept)).finally(() => setIsBusy(false));
  };
  return {
    isBusy,
    join: (invitation: string) => {
      const mixed = competition.rated && competition.open_to === "everybody";
      const body = { invitation: invitation || null, mixed };
      return run((client) => client.POST("/v1/competitions/{competition_id}/join", { params, body }).then(unwrap));
    },
    leave: () =>
      run((client) => client.POST("/v1/competitions/{competition_id}/leave", { params, body: {} }).then(unwrap)),
    start: () =>
      run((client) => client.POST("/v1/competitions/{competition_id}/start", { params, body: {} }).then(unwrap)),
    cancel: () =>
      run(async (client) => {
        unwrap(await client.DELETE("/v1/competitions/{competition_id}", { params }));
        return { ...competition, status: "cancelled" as const, version: competition.version + 1 };
      }),
  };
}

export function EntryTools({ own, ...props }: CompetitionProps & { own: Standing | null }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const { competition } = props;
  const { isBusy, join, leave } = useCompetitionActions(props);
  const [isConfirming, setIsConfirming] = useState(false);
  const isArena = competition.format === "arena";
  const isRunning = competition.status === "running";
  if (own === null)
    return isRunning && !isArena ? null : <JoinForm competition={competition} isBusy={isBusy} join={join} />;
  if (own.status === "removed") return <p>{competitions.removed}</p>;
  if (own.status === "paused" || (own.status === "withdrawn" && (isArena || !isRunning))) {
    return (
      <div class="tools">
        <span>{own.status === "paused" ? competitions.paused : competitions.withdrawn}</span>
        <Button class="primary" whyNot={isBusy && words.busy} onClick={() => join("")}>
          {competitions.joinAgain}
        </Button>
      </div>
    );
  }
  if (own.status === "withdrawn") return <p>{competitions.withdrawn}</p>;
  const text =
    own.game_id !== null ? competitions.entered : isRunning ? competitions.waits : competitions.enteredComing;
  return (
    <div class="tools">
      <span>{text}</span>
      <Button whyNot={isBusy && words.busy} onClick={() => (isRunning && !isArena ? setIsConfirming(true) : leave())}>
        {isRunning && isArena ? competitions.pause : competitions.leave}
      </Button>
      {isConfirming && (
        <Confirmation
          title={competitions.leave}
          text={competitions.leaveSure}
          yes={competitions.leave}
          isBusy={isBusy}
          confirm={() => leave().then(() => setIsConfirming(false))}
          close={() => setIsConfirming(false)}
        />
      )}
    </div>
  );
}

function JoinForm({
  competition,
  isBusy,
  join,
}: {
  competition: Competition;
  isBusy: boolean;
  join: (invitation: string) => void;
}) {
  const { words } = usePageContext();
  const { competitions } = words;
  const knownInvitation = competition.invitation ?? storedInvitation(competition.id);
  const [typed, setTyped] = useState("");
  if (competition.open_to === "bots") return <p>{competitions.botsOnly}</p>;
  if (competition.players >= competition.most_players) return <p>{competitions.full}</p>;
  return (
    <form
      class="stack joining"
      onSubmit={onSubmit(() => join(competition.by_invitation ? knownInvitation || typed.trim() : ""))}
    >
      {competition.rated && competition.open_to === "everybody" && <p class="note">{competitions.mixed}</p>}
      {competition.by_invitation && !knownInvitation && (
        <>
          <p class="note">{competitions.needsInvitation}</p>
          <label class="field">
            <span>{competitions.invitation}</span>
            <input
              required
              value={typed}
              autocomplete="off"
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
        </>
      )}
      <NameField />
      <Button class="primary" whyNot={isBusy && words.busy}>
        {competitions.join}
      </Button>
    </form>
  );
}

/** Actions of the host. */
export function HostTools(props: CompetitionProps) {
  const { words } = usePageContext();
  const { competitions } = words;
  const { isBusy, start, cancel } = useCompetitionActions(props);
  const [isConfirming, setIsConfirming] = useState(false);
  const { status, players } = props.competition;
  return (
    <div class="tools">
      {status === "coming" && (
        <Button class="primary" whyNot={players < 2 ? competitions.startNeeds : isBusy && words.busy} onClick={start}>
          {competitions.start}
        </Button>
      )}
      <button class="quiet danger" onClick={() => setIsConfirming(true)}>
        {competitions.cancel}
      </button>
      {isConfirming && (
        <Confirmation
          title={competitions.cancel}
          text={competitions.cancelSure}
          yes={competitions.cancelYes}
          isBusy={isBusy}
          confirm={cancel}
          close={() => setIsConfirming(false)}
        />
      )}
    </div>
  );
}
