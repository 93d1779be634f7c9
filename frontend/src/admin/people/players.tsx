/** Finds a player by id or handle. */
import { useState } from "preact/hooks";
import { Search } from "lucide";
import { Icon } from "../../parts/design/icon";
import { onSubmit } from "../../shared/fetching";
import { useAdmin } from "../context";
import { Heading } from "../parts";
import { address } from "../route";

export function Players() {
  const { words } = useAdmin();
  const [name, setName] = useState("");
  return (
    <>
      <Heading title={words.sections.players} />
      <form class="card line" onSubmit={onSubmit(() => (location.hash = address("players", name.trim())))}>
        <label class="field">
          <span>{words.idOrHandle}</span>
          <input
            required
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button class="primary">
          <Icon icon={Search} />
          {words.find}
        </button>
      </form>
    </>
  );
}
