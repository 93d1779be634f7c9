/** The queue of reports, open ones first. */
import { useState } from "preact/hooks";
import { Tiles } from "../../parts/tiles";
import { useAdmin } from "../context";
import { Heading, PagedList, usePages } from "../parts";
import { fetchReports, ReportRow } from "./report_row";

const REFRESH_MS = 30_000;
const SHOWN = ["received", "all"] as const;

export function Reports() {
  const { words, staff } = useAdmin();
  const [shown, show] = useState<(typeof SHOWN)[number]>("received");
  const filters = shown === "all" ? {} : { status: shown };
  const pages = usePages((first) => fetchReports(staff, filters, first), [staff, shown], REFRESH_MS);
  return (
    <>
      <Heading title={words.sections.reports} />
      <Tiles
        legend={words.show}
        name="status"
        values={SHOWN}
        chosen={shown}
        choose={show}
        textOf={(each) => words.shownReports[each]}
      />
      <PagedList pages={pages} empty={words.noReports} keyOf={(report) => report.id}>
        {(report) => <ReportRow report={report} />}
      </PagedList>
    </>
  );
}
