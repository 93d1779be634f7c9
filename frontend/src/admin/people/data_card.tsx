/** Export and deletion of a player's data on their request. */
import { unwrap } from "@azul-games/client";
import { Download, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/design/icon";
import { saveFile } from "../../parts/sharing";
import { useResultToast } from "../../shared/fetching";
import { useAdmin } from "../context";
import { ReasonDialog } from "../reason_dialog";
import { address } from "../route";

/** `name`: the name to show. */
export function DataCard({ id, name }: { id: string; name: string }) {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const [asked, ask] = useState<"export" | "delete" | null>(null);
  const path = { player: id };
  const exportData = async (reason: string | null) => {
    const answer = await staff.POST("/v1/admin/players/{player}/export", { params: { path }, body: { reason } });
    const text = JSON.stringify(unwrap(answer), null, 2);
    saveFile(new File([text], `player-${id}.json`, { type: "application/json" }));
  };
  const remove = async (reason: string | null) => {
    const query = reason === null ? {} : { reason };
    unwrap(await staff.DELETE("/v1/admin/players/{player}", { params: { path, query } }));
    location.hash = address("players");
  };
  return (
    <section class="card stack">
      <h2>{words.data}</h2>
      <p class="note">{words.dataNote}</p>
      <div class="tools">
        <button onClick={() => ask("export")}>
          <Icon icon={Download} />
          {words.exportData}
        </button>
        <button class="danger" onClick={() => ask("delete")}>
          <Icon icon={Trash2} />
          {words.deletePlayer}
        </button>
      </div>
      {asked === "export" && (
        <ReasonDialog
          title={words.actTitle(words.exportData, name)}
          text={words.exportNote}
          yes={words.exportData}
          send={(reason) => showResult(exportData(reason))}
          close={() => ask(null)}
        />
      )}
      {asked === "delete" && (
        <ReasonDialog
          title={words.actTitle(words.deletePlayer, name)}
          text={words.deletePlayerSure}
          yes={words.deletePlayer}
          send={(reason) => showResult(remove(reason), words.playerDeleted)}
          close={() => ask(null)}
        />
      )}
    </section>
  );
}
