/** Players: the newest, or those whose name or handle begins with a text. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Checkbox, SelectField } from "../../parts/fields";
import { playerName } from "../../parts/player_link";
import { onSubmit } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { Badge, Heading, PagedList, PlayerRef, SearchLine, usePages, When } from "../parts";
import { address } from "../route";

type Found = Schemas["FoundPlayer"];

const FIELDS = ["name", "handle", "id"] as const;
type Field = (typeof FIELDS)[number];
const PAGE_SIZE = 50;

interface Asked {
  field: Field;
  text: string;
  banned: boolean;
}

export function Players() {
  const { words, staff } = useAdmin();
  const [asked, ask] = useState<Asked>({ field: "name", text: "", banned: false });
  const pages = usePages<Found>(
    async (cursor) => {
      const { field, text, banned } = asked;
      const query = {
        limit: PAGE_SIZE,
        ...(text && field !== "id" && { [field]: text }),
        ...(banned && { banned }),
        ...(cursor && { cursor: String(cursor) }),
      };
      const { players, next_cursor } = unwrap(await staff.GET("/v1/admin/players", { params: { query } }));
      return { items: players, next: next_cursor };
    },
    [staff, asked],
  );
  return (
    <>
      <Heading title={words.sections.players} />
      <SearchForm asked={asked} ask={ask} />
      <PagedList pages={pages} empty={words.noPlayers} keyOf={({ player }) => player.id}>
        {({ player, banned_at }) => (
          <>
            <div>
              <PlayerRef id={player.id} name={playerName(player, words)} />{" "}
              {player.handle && <span class="note">@{player.handle}</span>}
            </div>
            {player.bot && <Badge>{words.bot}</Badge>}
            {banned_at && <Badge tone="bad">{words.banned}</Badge>}
            <When at={banned_at ?? player.created_at} />
          </>
        )}
      </PagedList>
    </>
  );
}

function SearchForm({ asked, ask }: { asked: Asked; ask: (asked: Asked) => void }) {
  const { words } = useAdmin();
  const [text, setText] = useState(asked.text);
  const [field, setField] = useState<Field>(asked.field);
  const submit = () => {
    if (field === "id" && text.trim()) location.hash = address("players", text.trim());
    else ask({ ...asked, field, text: text.trim() });
  };
  return (
    <form class="card stack" onSubmit={onSubmit(submit)}>
      <div class="filters">
        <SelectField label={words.searchBy} value={field} choose={(chosen) => setField(chosen as Field)}>
          {FIELDS.map((each) => (
            <option key={each} value={each}>
              {words.searchFields[each]}
            </option>
          ))}
        </SelectField>
        <SearchLine label={words.beginsWith} value={text} change={setText} />
      </div>
      <Checkbox label={words.onlyBanned} checked={asked.banned} toggle={(banned) => ask({ ...asked, banned })} />
    </form>
  );
}
