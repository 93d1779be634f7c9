/** The announcement and the maintenance, which everyone sees. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Confirmation } from "../../parts/design/dialog";
import { useService } from "../../parts/service_notice";
import { onSubmit, useResultToast } from "../../shared/fetching";
import { useAdmin } from "../context";
import { Badge, Heading, LoadingNote, Until } from "../parts";
import { asInstant, ReasonField, TimeField } from "../reason_dialog";

export function Notices() {
  const { words } = useAdmin();
  const [service, reload] = useService();
  return (
    <>
      <Heading title={words.sections.notices} />
      <LoadingNote value={service} error={null} />
      {service && (
        <div class="columns">
          <AnnouncementCard key={service.announcement?.en} now={service.announcement} reload={reload} />
          <MaintenanceCard now={service.maintenance} reload={reload} />
        </div>
      )}
    </>
  );
}

type Service = Schemas["Service"];

/** Whether something applies now, and until when. */
function Current({ until, text }: { until: string | null; text: string | null }) {
  const { words } = useAdmin();
  return (
    <div>
      <Badge tone="turn">{words.applies}</Badge> {until !== null && <Until at={until} />}
      {text && <p>{text}</p>}
    </div>
  );
}

function AnnouncementCard({ now, reload }: { now: Service["announcement"]; reload: () => Promise<void> }) {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [en, setEn] = useState(now?.en ?? "");
  const [de, setDe] = useState(now?.de ?? "");
  const [end, setEnd] = useState("");
  const announce = async () => {
    const body = { en: en.trim(), de: de.trim() || null, until: asInstant(end) };
    unwrap(await staff.PUT("/v1/admin/announcement", { body }));
    await reload();
  };
  const remove = async () => {
    unwrap(await staff.DELETE("/v1/admin/announcement"));
    await reload();
  };
  return (
    <form class="card stack" onSubmit={onSubmit(() => showResult(announce(), words.announced))}>
      <h2>{words.announcement}</h2>
      <p class="note">{words.announcementNote}</p>
      {now && <Current until={now.until} text={null} />}
      <ReasonField label={words.inEnglish} isRequired value={en} change={setEn} />
      <ReasonField label={words.inGerman} value={de} change={setDe} />
      <TimeField label={words.endsAt} value={end} change={setEnd} />
      <div class="tools">
        <button class="primary">{words.announce}</button>
        {now && (
          <button type="button" onClick={() => showResult(remove(), words.announcementRemoved)}>
            {words.removeAnnouncement}
          </button>
        )}
      </div>
    </form>
  );
}

function MaintenanceCard({ now, reload }: { now: Service["maintenance"]; reload: () => Promise<void> }) {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [reason, setReason] = useState("");
  const [end, setEnd] = useState("");
  const [isAsking, setIsAsking] = useState(false);
  const begin = async () => {
    const body = { reason: reason.trim() || null, until: asInstant(end) };
    unwrap(await staff.PUT("/v1/admin/maintenance", { body }));
    await reload();
  };
  const finish = async () => {
    unwrap(await staff.DELETE("/v1/admin/maintenance"));
    await reload();
  };
  return (
    <form class="card stack" onSubmit={onSubmit(() => setIsAsking(true))}>
      <h2>{words.maintenance}</h2>
      <p class="note">{words.maintenanceNote}</p>
      {now ? (
        <>
          <Current until={now.until} text={now.reason} />
          <button type="button" class="primary" onClick={() => showResult(finish(), words.maintenanceEnded)}>
            {words.endMaintenance}
          </button>
        </>
      ) : (
        <>
          <ReasonField label={words.reasonForEveryone} value={reason} change={setReason} />
          <TimeField label={words.endsAt} value={end} change={setEnd} />
          <button class="danger">{words.beginMaintenance}</button>
        </>
      )}
      {isAsking && (
        <Confirmation
          title={words.beginMaintenance}
          text={words.maintenanceNote}
          yes={words.beginMaintenance}
          confirm={() => {
            setIsAsking(false);
            showResult(begin(), words.maintenanceBegun);
          }}
          close={() => setIsAsking(false)}
        />
      )}
    </form>
  );
}
