/** The settings of the service, to read. Secrets are hidden. */
import { unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { type Schemas, useAdmin } from "../context";
import { Heading, PagedList, SearchField, usePages } from "../parts";

type Setting = Schemas["SettingValue"];

export function Settings() {
  const { words, staff } = useAdmin();
  const [text, setText] = useState("");
  const pages = usePages<Setting>(
    async () => ({ items: unwrap(await staff.GET("/v1/admin/settings")).settings, next: null }),
    [staff],
  );
  const asked = text.trim().toLowerCase();
  const items = pages.items?.filter(({ name, meaning }) => `${name}\n${meaning}`.toLowerCase().includes(asked)) ?? null;
  return (
    <>
      <Heading title={words.sections.settings} />
      <div class="card">
        <SearchField label={words.contains} value={text} change={setText} />
      </div>
      <PagedList pages={{ ...pages, items }} empty={words.noSettings} keyOf={({ name }) => name}>
        {({ name, value, meaning }) => (
          <>
            <div>
              <code>{name}</code>
              <p class="note">{meaning}</p>
            </div>
            <code class="value">{value || "–"}</code>
          </>
        )}
      </PagedList>
    </>
  );
}
