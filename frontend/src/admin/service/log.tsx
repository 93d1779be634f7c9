/** The audit log: the acts of staff, newest first, with filters and an export. */
import { unwrap } from "@azul-games/client";
import { Download } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/design/icon";
import { SelectField } from "../../parts/fields";
import { saveFile } from "../../parts/sharing";
import { onSubmit, useResultToast } from "../../shared/fetching";
import { type Schemas, type StaffClient, useAdmin } from "../context";
import { asWords, Heading, PagedList, SearchLine, usePages, When } from "../parts";
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
  const [asked, ask] = useState("");
  const filters = { ...(act && { act }), ...(asked && { contains: asked }) };
  const pages = usePages<Entry>(
    async (cursor) => {
      const query = { ...filters, limit: PAGE_SIZE, ...(cursor && { cursor: String(cursor) }) };
      const page = unwrap(await staff.GET("/v1/admin/log", { params: { query } })) as Schemas["AuditPage"]; // as JSON
      return { items: page.entries, next: page.next_cursor };
    },
    [staff, act, asked],
  );
  return (
    <>
      <Heading title={words.sections.log}>
        <button onClick={() => showResult(exportLog(staff, filters))}>
          <Icon icon={Download} />
          {words.exportLog}
        </button>
      </Heading>
      <form class="card filters" onSubmit={onSubmit(() => ask(text.trim()))}>
        <SelectField label={words.act} value={act} choose={setAct}>
          <option value="">{words.all}</option>
          {Object.entries(words.logActs).map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </SelectField>
        <SearchLine label={words.contains} value={text} change={setText} />
      </form>
      <PagedList pages={pages} empty={words.noEntries} keyOf={({ id }) => id}>
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

function ObjectOf({ entry: { object } }: { entry: Entry }) {
  const section = SECTION_OF[object.type];
  const target = section ? address(section, object.id) : object.type === "game" ? `play#/${object.id}` : null;
  const text = <code>{object.id}</code>;
  return target === null ? text : <a href={target}>{text}</a>;
}

async function exportLog(staff: StaffClient, query: { act?: string; contains?: string }): Promise<void> {
  const params = { query };
  const answer = await staff.GET("/v1/admin/log", { params, headers: { Accept: NDJSON }, parseAs: "text" });
  saveFile(new File([unwrap(answer) as unknown as string], "audit-log.ndjson", { type: NDJSON }));
}
