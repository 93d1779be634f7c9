/** The form of a new competition: what nobody changes is as is usual. */
import { type Schemas, unwrap } from "azul-games-client";
import { useState } from "preact/hooks";
import { useCatalogue } from "../parts/catalogue";
import { termsAsked, TermsFields, useRemembered, useTerms } from "../parts/game_settings";
import { NameField } from "../parts/name_field";
import { Tiles } from "../parts/tiles";
import { errorText, usePageContext } from "../shared/context";
import { links } from "../shared/route";
import type { Words } from "../shared/words";

const FORMATS = ["swiss", "arena"] as const;
const ROUNDS = [3, 4, 5, 7, 9];
const MINUTES = [15, 30, 45, 60, 90];
const STARTS_MIN = [5, 15, 30, 60];
const OPEN_TO = ["people", "everybody", "bots"] as const;

const USUAL = {
  format: "swiss" as Schemas["CompetitionFormat"],
  rounds: 5,
  minutes: 45,
  /** Minutes from now; `host`: when its host starts it; `at`: a moment of theirs. */
  starts: "host",
  openTo: "people" as Schemas["BotOpponents"],
  unlisted: false,
  byInvitation: false,
  plays: true,
};

function usualName(format: string, words: Words, language: string): string {
  const day = new Date().toLocaleDateString(language, { weekday: "long" });
  return words.competitions.usualName(words.competitions.format[format] ?? format, day);
}

/** The moment it begins; null: when its host starts it. */
function startOf(starts: string, at: string): string | null {
  if (starts === "host") return null;
  return (starts === "at" ? new Date(at) : new Date(Date.now() + 60_000 * Number(starts))).toISOString();
}

export function Announce() {
  const { words, settings, me, toast } = usePageContext();
  const { competitions } = words;
  const { terms, change: changeTerms, catalogue } = useTerms(useCatalogue());
  const [chosen, change] = useRemembered("azul-table-competition", USUAL);
  const [name, setName] = useState("");
  const [at, setAt] = useState("");
  const [busy, setBusy] = useState(false);
  const { format, rounds, minutes, starts, openTo, unlisted, byInvitation, plays } = chosen;
  const timed = { ...terms, clock: terms.clock < 0 ? 1 : terms.clock };
  const announce = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const client = await me.client();
      const { clock, ...asked } = termsAsked(timed);
      const body: Schemas["CompetitionRequest"] = {
        ...asked,
        clock: clock ?? { turn_s: 60, bank_s: 600 },
        name: name.trim() || usualName(format, words, settings.language),
        format,
        ...(format === "swiss" ? { rounds } : { minutes }),
        open_to: openTo,
        visibility: unlisted ? "unlisted" : "public",
        by_invitation: byInvitation,
        starts_at: startOf(starts, at),
      };
      const { id, invitation } = unwrap(await client.POST("/v1/competitions", { body }));
      location.hash = links.competition(id); // it is there, whatever becomes of the rest
      if (plays && openTo !== "bots") {
        const params = { path: { competition_id: id } };
        const mixed = terms.rated && openTo === "everybody";
        unwrap(await client.POST("/v1/competitions/{competition_id}/join", { params, body: { invitation, mixed } }));
      }
      toast(competitions.announced);
    } catch (error) {
      toast(errorText(error, words));
      setBusy(false);
    }
  };
  const numbers = format === "swiss" ? ROUNDS : MINUTES;
  return (
    <form class="card" onSubmit={announce} aria-label={competitions.announce}>
      <h2>{competitions.announce}</h2>
      <Tiles
        legend={competitions.pairing}
        name="format"
        values={FORMATS}
        chosen={format}
        choose={(each) => change({ format: each })}
        inWords={(each) => competitions.format[each] ?? each}
      />
      <p class="note">{competitions.formatIs[format]}</p>
      <Tiles
        legend={format === "swiss" ? competitions.rounds : competitions.minutes}
        name="length"
        values={numbers}
        chosen={format === "swiss" ? rounds : minutes}
        choose={(each) => change(format === "swiss" ? { rounds: each } : { minutes: each })}
        inWords={String}
      />
      <label class="field">
        <span>{competitions.begins}</span>
        <select value={starts} onChange={({ currentTarget }) => change({ starts: currentTarget.value })}>
          <option value="host">{competitions.whenStarted}</option>
          {STARTS_MIN.map((each) => (
            <option key={each} value={each}>
              {competitions.inMinutes(each)}
            </option>
          ))}
          <option value="at">{competitions.atTime}</option>
        </select>
      </label>
      {starts === "at" && (
        <label class="field">
          <span>{competitions.when}</span>
          <input
            type="datetime-local"
            required
            value={at}
            onInput={({ currentTarget }) => setAt(currentTarget.value)}
          />
        </label>
      )}
      <TermsFields terms={timed} change={changeTerms} catalogue={catalogue} seats={false} timed />
      <label class="field">
        <span>{competitions.name}</span>
        <input
          maxLength={40}
          value={name}
          placeholder={usualName(format, words, settings.language)}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <NameField />
      {openTo !== "bots" && <Check said={competitions.iPlay} checked={plays} turn={(on) => change({ plays: on })} />}
      <details>
        <summary>{competitions.more}</summary>
        <div class="stack">
          <label class="field">
            <span>{competitions.openTo}</span>
            <select
              value={openTo}
              onChange={({ currentTarget }) => change({ openTo: currentTarget.value as typeof openTo })}
            >
              {OPEN_TO.map((each) => (
                <option key={each} value={each}>
                  {competitions.openToWhom[each]}
                </option>
              ))}
            </select>
          </label>
          <Check said={competitions.byLink} checked={unlisted} turn={(on) => change({ unlisted: on })} />
          <Check said={competitions.byInvitation} checked={byInvitation} turn={(on) => change({ byInvitation: on })} />
        </div>
      </details>
      <button class="primary" disabled={busy || !terms.variant}>
        {competitions.announce}
      </button>
    </form>
  );
}

function Check({ said, checked, turn }: { said: string; checked: boolean; turn: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
      <span>{said}</span>
    </label>
  );
}
