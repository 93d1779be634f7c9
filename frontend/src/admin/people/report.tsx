/** A report with what was kept of its object, the decision, and the reported player. */
import { unwrap } from "@azul-games/client";
import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/design/icon";
import { playerName } from "../../parts/player_link";
import { errorText } from "../../shared/context";
import { useLoaded, useResultToast } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { Facts, Heading, LoadingNote, PlayerRef, When } from "../parts";
import { ReasonDialog, ReasonField } from "../reason_dialog";
import { FairPlay } from "./fair_play";
import { ActsCard, useModeratedPlayer } from "./player";
import { keptName, type Report, reportTitle, StatusBadge } from "./report_row";

type FullReport = Schemas["FullReport"];
type KeptGame = NonNullable<FullReport["context"]["game"]>;

export function ReportPage({ id }: { id: string }) {
  const { words, staff } = useAdmin();
  const params = { path: { report_id: id } };
  const loaded = useLoaded<FullReport>(
    async () => unwrap(await staff.GET("/v1/admin/reports/{report_id}", { params })),
    [staff, id],
  );
  const report = loaded.value;
  if (report === null)
    return (
      <>
        <Heading title={words.report} />
        <LoadingNote {...loaded} />
      </>
    );
  const { game, player } = report.context;
  return (
    <>
      <Heading title={reportTitle(report, words)}>
        <StatusBadge status={report.status} />
      </Heading>
      <div class="columns">
        <div class="column">
          <Complaint report={report} />
          {report.fair_play && <FairPlay report={report} hint={report.fair_play} reload={loaded.reload} />}
          {player && <KeptProfile player={player} />}
          {game && <KeptTable report={report} game={game} />}
        </div>
        <div class="column">
          <Decision report={report} decided={(after) => loaded.show(Promise.resolve({ ...report, ...after }))} />
          {report.object.player && <ReportedPlayer id={report.object.player} />}
        </div>
      </div>
    </>
  );
}

function Complaint({ report }: { report: FullReport }) {
  const { words } = useAdmin();
  const { player, game_id } = report.object;
  return (
    <section class="card stack">
      <h2>{words.complaint}</h2>
      {report.text ? <blockquote>{report.text}</blockquote> : <p class="note">{words.noText}</p>}
      <Facts
        facts={[
          [words.reportedAt, <When at={report.created_at} />],
          [words.reporter, <PlayerRef id={report.reporter} name={keptName(report, report.reporter)} />],
          ...(player ? [[words.reported, <PlayerRef id={player} name={keptName(report, player)} />] as const] : []),
          ...(game_id
            ? [
                [
                  words.game,
                  <a href={`play#/${game_id}`}>
                    <code>{game_id}</code>
                  </a>,
                ] as const,
              ]
            : []),
        ]}
      />
    </section>
  );
}

function KeptProfile({ player }: { player: Schemas["Player"] }) {
  const { words } = useAdmin();
  return (
    <section class="card stack">
      <h2>{words.keptProfile}</h2>
      <Facts
        facts={[
          [words.name, player.name ?? words.none],
          [words.handle, player.handle ? `@${player.handle}` : words.none],
        ]}
      />
    </section>
  );
}

/** Messages, seats and position of a game at the time of the report. */
function KeptTable({ report, game }: { report: FullReport; game: KeptGame }) {
  const { words } = useAdmin();
  return (
    <>
      <Messages report={report} game={game} />
      <section class="card stack">
        <h2>{words.keptGame(game.revision)}</h2>
        {game.position_notation && <Position report={report.id} />}
        <ul class="rows">
          {game.seats.map(({ player, name }, seat) => (
            <li key={seat}>
              <span>{words.seat(seat + 1)}</span>
              <PlayerRef id={player} name={name} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** The position that was kept, which may differ from the game's. */
function Position({ report }: { report: string }) {
  const { words, staff } = useAdmin();
  const { value: svg } = useLoaded(async () => {
    const params = { path: { report_id: report } };
    return unwrap(await staff.GET("/v1/admin/reports/{report_id}/board.svg", { params, parseAs: "text" })) as string;
  }, [staff, report]);
  return (
    <figure class="position">
      {svg && <img alt={words.position} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />}
    </figure>
  );
}

function Messages({ report, game }: { report: FullReport; game: KeptGame }) {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [deleted, setDeleted] = useState<readonly number[]>([]);
  const [asked, ask] = useState<number | null>(null);
  const remove = async (message: number, reason: string | null) => {
    const path = { game_id: report.object.game_id ?? "", message };
    const params = { path, query: reason ? { reason } : {} };
    unwrap(await staff.DELETE("/v1/admin/games/{game_id}/messages/{message}", { params }));
    setDeleted([...deleted, message]);
  };
  return (
    <section class="card stack">
      <h2>{words.messages}</h2>
      {game.messages.length === 0 && <p class="note">{words.noMessages}</p>}
      <ul class="rows">
        {game.messages.map(({ number, text, player, seat, at }) => (
          <li key={number} data-reported={number === report.object.message}>
            <div>
              <PlayerRef id={player} name={game.seats[seat ?? -1]?.name ?? null} /> <When at={at} />
              <p>{text}</p>
            </div>
            {deleted.includes(number) ? (
              <span class="note">{words.messageDeleted}</span>
            ) : (
              <button class="quiet" aria-label={words.deleteMessage(number)} onClick={() => ask(number)}>
                <Icon icon={Trash2} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {asked !== null && (
        <ReasonDialog
          title={words.deleteMessage(asked)}
          text={words.deleteMessageSure}
          yes={words.delete}
          close={() => ask(null)}
          send={(reason) => showResult(remove(asked, reason), words.messageDeleted)}
        />
      )}
    </section>
  );
}

function Decision({ report, decided }: { report: FullReport; decided: (after: Report) => void }) {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [reason, setReason] = useState("");
  const decide = async (status: Report["status"]) => {
    const params = { path: { report_id: report.id } };
    const body = { status, reason: reason.trim() || null };
    decided(unwrap(await staff.PUT("/v1/admin/reports/{report_id}/status", { params, body })));
    setReason("");
  };
  const button = (status: Report["status"], kind?: "primary") => (
    <button class={kind} onClick={() => showResult(decide(status), words.decided)}>
      {status === "received" ? words.reopen : words.statuses[status]}
    </button>
  );
  return (
    <section class="card stack">
      <h2>{words.decision}</h2>
      <p class="note">{words.decisionNote}</p>
      <ReasonField label={words.reasonForLog} value={reason} change={setReason} />
      <div class="tools">
        {report.status === "received" ? (
          <>
            {button("acted_on", "primary")}
            {button("no_action")}
          </>
        ) : (
          button("received")
        )}
      </div>
    </section>
  );
}

/** The reported player now. They may have deleted their account. */
function ReportedPlayer({ id }: { id: string }) {
  const { words } = useAdmin();
  const { value: player, error, replace } = useModeratedPlayer(id);
  if (error !== null) return <p class="card note">{errorText(error, words)}</p>;
  if (player === null) return null;
  return (
    <>
      <h2>
        {words.reported}: <PlayerRef id={player.player.id} name={playerName(player.player, words)} />
      </h2>
      <ActsCard player={player} replace={replace} />
    </>
  );
}
