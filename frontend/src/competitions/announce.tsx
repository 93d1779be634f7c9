/** The form for a new competition. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { Checkbox, SelectField } from "../parts/fields";
import { useCatalogue } from "../parts/catalogue";
import { GameSettingsFields, settingsRequest, useGameSettings, useTabState } from "../parts/game_settings";
import { NameField, NameInput } from "../parts/name_field";
import { Tiles } from "../parts/tiles";
import { usePageContext } from "../shared/context";
import { onSubmit, useSubmit } from "../shared/fetching";
import { links } from "../shared/route";
import type { Words } from "../shared/words";

const FORMATS = ["swiss", "arena"] as const;
const ROUNDS = [3, 4, 5, 7, 9];
const MINUTES = [15, 30, 45, 60, 90];
const STARTS_MIN = [5, 15, 30, 60];
const AUDIENCES = ["people", "everybody", "bots"] as const;

const DEFAULTS = {
  format: "swiss" as Schemas["CompetitionFormat"],
  rounds: 5,
  minutes: 45,
  /** Minutes from now, `host` (the host starts it) or `at` (the time in another field). */
  starts: "host",
  openTo: "people" as Schemas["BotOpponents"],
  unlisted: false,
  byInvitation: false,
  plays: true,
};

function defaultName(format: string, words: Words, language: string): string {
  const day = new Date().toLocaleDateString(language, { weekday: "long" });
  return words.competitions.usualName(words.competitions.format[format] ?? format, day);
}

/** Return the start as an ISO time, or null if the host starts the competition. */
function startTime(starts: string, at: string): string | null {
  if (starts === "host") return null;
  return (starts === "at" ? new Date(at) : new Date(Date.now() + 60_000 * Number(starts))).toISOString();
}

export function AnnounceForm() {
  const { words, settings, me, toast } = usePageContext();
  const { competitions } = words;
  const { gameSettings, change: changeTerms, catalogue } = useGameSettings(useCatalogue());
  const [chosen, change] = useTabState("azul-table-competition", DEFAULTS);
  const [name, setName] = useState("");
  const [at, setAt] = useState("");
  const [isSending, submit] = useSubmit();
  const { format, rounds, minutes, starts, openTo, unlisted, byInvitation, plays } = chosen;
  const timedSettings = { ...gameSettings, clock: gameSettings.clock < 0 ? 1 : gameSettings.clock };
  const announce = async () => {
    const client = await me.client();
    const { clock, ...settingsBody } = settingsRequest(timedSettings);
    const body: Schemas["CompetitionRequest"] = {
      ...settingsBody,
      clock: clock ?? { turn_s: 60, bank_s: 600 },
      name: name.trim() || defaultName(format, words, settings.language),
      format,
      ...(format === "swiss" ? { rounds } : { minutes }),
      open_to: openTo,
      visibility: unlisted ? "unlisted" : "public",
      by_invitation: byInvitation,
      starts_at: startTime(starts, at),
    };
    const { id, invitation } = unwrap(await client.POST("/v1/competitions", { body }));
    location.hash = links.competition(id); // the competition exists, even if joining it fails
    if (plays && openTo !== "bots") {
      const params = { path: { competition_id: id } };
      const mixed = gameSettings.rated && openTo === "everybody";
      unwrap(await client.POST("/v1/competitions/{competition_id}/join", { params, body: { invitation, mixed } }));
    }
    toast(competitions.announced);
  };
  const numbers = format === "swiss" ? ROUNDS : MINUTES;
  return (
    <form class="card" onSubmit={onSubmit(() => submit(announce))} aria-label={competitions.announce}>
      <h2>{competitions.announce}</h2>
      <Tiles
        legend={competitions.pairing}
        name="format"
        values={FORMATS}
        chosen={format}
        choose={(each) => change({ format: each })}
        textOf={(each) => competitions.format[each] ?? each}
      />
      <p class="note">{competitions.formatIs[format]}</p>
      <Tiles
        legend={format === "swiss" ? competitions.rounds : competitions.minutes}
        name="length"
        values={numbers}
        chosen={format === "swiss" ? rounds : minutes}
        choose={(each) => change(format === "swiss" ? { rounds: each } : { minutes: each })}
        textOf={String}
      />
      <SelectField label={competitions.begins} value={starts} choose={(value) => change({ starts: value })}>
        <option value="host">{competitions.whenStarted}</option>
        {STARTS_MIN.map((each) => (
          <option key={each} value={each}>
            {competitions.inMinutes(each)}
          </option>
        ))}
        <option value="at">{competitions.atTime}</option>
      </SelectField>
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
      <GameSettingsFields
        gameSettings={timedSettings}
        change={changeTerms}
        catalogue={catalogue}
        withSeats={false}
        needsClock
      />
      <NameInput
        label={competitions.name}
        value={name}
        change={setName}
        placeholder={defaultName(format, words, settings.language)}
      />
      <NameField />
      {openTo !== "bots" && (
        <Checkbox label={competitions.iPlay} checked={plays} toggle={(on) => change({ plays: on })} />
      )}
      <details>
        <summary>{competitions.more}</summary>
        <div class="stack">
          <SelectField
            label={competitions.openTo}
            value={openTo}
            choose={(value) => change({ openTo: value as typeof openTo })}
          >
            {AUDIENCES.map((each) => (
              <option key={each} value={each}>
                {competitions.openToWhom[each]}
              </option>
            ))}
          </SelectField>
          <Checkbox label={competitions.byLink} checked={unlisted} toggle={(on) => change({ unlisted: on })} />
          <Checkbox
            label={competitions.byInvitation}
            checked={byInvitation}
            toggle={(on) => change({ byInvitation: on })}
          />
        </div>
      </details>
      <Button class="primary" whyNot={(isSending || !gameSettings.variant) && words.busy}>
        {competitions.announce}
      </Button>
    </form>
  );
}
