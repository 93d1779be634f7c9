/** The audit log: the acts of staff, newest first, with filters and an export. */
import { unwrap } from "@azul-games/client";
import { Download } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/design/icon";
import { SelectField } from "../../parts/fields";
import { saveFile } from "../../parts/sharing";
import { useResultToast } from "../../shared/fetching";
import { type Schemas, type StaffClient, useAdmin } from "../context";
import { asWords, Heading, PagedList, SearchField, usePages, When } from "../parts";
import { address, type Section } from "../route";

type Entry = Schemas["AuditEntry"];

const PAGE_SIZE = 100;
const NDJSON = "application/x-ndjson";
/** Sections that show the objects of a kind. */
const SECTION_OF: Record<string, Section> = { player: "players", report: "reports" };

export function AuditLog() {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [act, setAct] = useState("");
  const [text, setText] = useState("");
  const pages = usePages<Entry>(
    async (cursor) => {
      const query = { limit: PAGE_SIZE, ...(cursor && { cursor: String(cursor) }) };
      const page = unwrap(await staff.GET("/v1/admin/log", { params: { query } })) as Schemas["AuditPage"]; // as JSON
      return { items: page.entries, next: page.next_cursor };
    },
    [staff],
  );
  const acts = [...new Set(pages.items?.map((entry) => entry.act))].sort();
  const items = pages.items?.filter((entry) => matches(entry, act, text)) ?? null;
  return (
    <>
      <Heading title={words.sections.log}>
        <button onClick={() => showResult(exportLog(staff))}>
          <Icon icon={Download} />
          {words.exportLog}
        </button>
      </Heading>
      <div class="card filters">
        <SelectField label={words.act} value={act} choose={setAct}>
          <option value="">{words.all}</option>
          {acts.map((each) => (
            <option key={each} value={each}>
              {words.logActs[each] ?? asWords(each)}
            </option>
          ))}
        </SelectField>
        <SearchField label={words.contains} value={text} change={setText} />
      </div>
      <PagedList pages={{ ...pages, items }} empty={words.noEntries} keyOf={({ id }) => id}>
        {(entry) => (
          <>
            <div>
              <b>{words.logActs[entry.act] ?? asWords(entry.act)}</b> <ObjectOf entry={entry} />
              {entry.reason && <p>{entry.reason}</p>}
            </div>
            <span>{actorName(entry, words.operator)}</span>
            <When at={entry.at} />
          </>
        )}
      </PagedList>
    </>
  );
}

const actorName = ({ actor }: Entry, operator: string): string =>
  actor.name ?? (actor.id === "operator" ? operator : actor.id);

/** Return whether an entry is of an act (empty: any), and contains a text in actor, object or reason. */
export function matches(entry: Entry, act: string, text: string): boolean {
  const { actor, object, reason } = entry;
  const contents = [actor.name, actor.id, object.id, object.type, reason].filter((each) => each !== null);
  return (!act || entry.act === act) && contents.join("\n").toLowerCase().includes(text.trim().toLowerCase());
}

function ObjectOf({ entry: { object } }: { entry: Entry }) {
  const section = SECTION_OF[object.type];
  const target = section ? address(section, object.id) : object.type === "game" ? `play#/${object.id}` : null;
  const text = <code>{object.id}</code>;
  return target === null ? text : <a href={target}>{text}</a>;
}

async function exportLog(staff: StaffClient): Promise<void> {
  const answer = await staff.GET("/v1/admin/log", { headers: { Accept: NDJSON }, parseAs: "text" });
  saveFile(new File([unwrap(answer) as unknown as string], "audit-log.ndjson", { type: NDJSON }));
}
