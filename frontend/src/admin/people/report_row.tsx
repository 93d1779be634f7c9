/** A report in a list, the requests for lists of reports, and names in a report. */
import { unwrap } from "@azul-games/client";
import { type Schemas, type StaffClient, useAdmin } from "../context";
import { Badge, type PageOf, When } from "../parts";
import { address } from "../route";
import type { AdminWords } from "../words/en";

export type Report = Schemas["Report"];

/** The most reports that the service returns at once. */
const PAGE_SIZE = 100;

/** Return the next reports that match the filters. */
export async function fetchReports(
  staff: StaffClient,
  filters: { status?: Report["status"]; player?: string },
  next: string | number = 0,
): Promise<PageOf<Report>> {
  const query = { ...filters, first: Number(next), limit: PAGE_SIZE };
  const { reports } = unwrap(await staff.GET("/v1/admin/reports", { params: { query } }));
  return { items: reports, next: reports.length === PAGE_SIZE ? query.first + PAGE_SIZE : null };
}

/** Return the name of a player in the kept seats or profile. */
export function keptName({ context }: Schemas["FullReport"], id: string | null): string | null {
  if (context.player?.id === id) return context.player?.name ?? null;
  return context.game?.seats.find(({ player }) => player === id)?.name ?? null;
}

/** Return what a report is about, such as `Message: Insults or threats`. */
export const reportTitle = ({ category, object }: Report, words: AdminWords): string =>
  `${words.reportedTypes[object.type] ?? object.type}: ${words.reportCategories[category] ?? category}`;

const TONES = { received: "turn", acted_on: "good", no_action: undefined } as const;

export function StatusBadge({ status }: { status: Report["status"] }) {
  const { words } = useAdmin();
  const tone = TONES[status];
  return <Badge {...(tone && { tone })}>{words.statuses[status]}</Badge>;
}

export function ReportRow({ report }: { report: Report }) {
  const { words } = useAdmin();
  return (
    <>
      <div>
        <a href={address("reports", report.id)}>{reportTitle(report, words)}</a>
        {report.text && <p class="clipped">{report.text}</p>}
      </div>
      <StatusBadge status={report.status} />
      <When at={report.created_at} />
    </>
  );
}
