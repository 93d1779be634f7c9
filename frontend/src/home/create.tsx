/** The form for a new game. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Button } from "../parts/design/button";
import { SelectField } from "../parts/fields";
import { useCatalogue } from "../parts/catalogue";
import { CLOCKS } from "../parts/game_settings";
import { levelDescription, LevelOptions } from "../parts/level";
import { ownName } from "../parts/name_field";
import { Sureness } from "../parts/rules";
import { Tiles } from "../parts/tiles";
import { DEFAULT_RULESET, rulesetTexts, variantName } from "../rulesets/registry";
import { useClient, usePageContext } from "../shared/context";
import { onSubmit, useSubmit } from "../shared/fetching";
import { importGame, isGameText, openNewGame } from "./new_game";

type Level = NonNullable<Schemas["NewSeatRequest"]["level"]>;
type SeatKind = "me" | "open" | (string & {});

export function CreateGame() {
  const { words, settings, me } = usePageContext();
  const client = useClient(me.token);
  const { rulesets, levels } = useCatalogue();
  const [ruleset, setRuleset] = useState<string>(DEFAULT_RULESET);
  const [variant, setVariant] = useState<string>();
  const [seats, setSeats] = useState<SeatKind[]>(["me", "casual"]);
  const [clock, setClock] = useState(-1);
  const [text, setText] = useState("");
  const [isSending, submit] = useSubmit();
  const chosen = rulesets.find(({ id }) => id === ruleset);
  const side = chosen?.variants.includes(variant ?? "") ? variant : chosen?.variants[0];

  const create = async () => {
    const pasted = text.trim();
    openNewGame(await (isGameText(pasted) ? importGame(client, pasted, Error) : createGame(pasted)));
  };

  /** Create the chosen game. A position overrides the ruleset, the variant and the number of seats. */
  async function createGame(position_notation: string) {
    const parsed = position_notation && (await client.POST("/v1/positions", { body: { position_notation } }));
    const position = parsed ? unwrap(parsed).position : null;
    const newSeats = seatsOf(position?.seats.length ?? seats.length).map((seatKind): Schemas["NewSeatRequest"] => {
      if (seatKind === "me") return { kind: "player", name: ownName(settings, me) || null };
      return seatKind === "open" ? { kind: "open" } : { kind: "ai", level: seatKind as Level };
    });
    const [turn_s, bank_s] = CLOCKS[clock] ?? [];
    const clockRequest = turn_s === undefined ? null : { turn_s, bank_s };
    const body: Schemas["CreateGameRequest"] = {
      ruleset: position?.ruleset ?? (ruleset as Schemas["CreateGameRequest"]["ruleset"]),
      variant: position?.variant ?? side ?? "",
      seats: newSeats,
      clock: clockRequest,
      position_notation: position_notation || null,
    };
    return unwrap(await client.POST("/v1/games", { body: { ...body, visibility: "private" } }));
  }

  const choose = (seat: number, seatKind: SeatKind) =>
    setSeats(seats.map((before, place) => (place === seat ? seatKind : before)));
  const seatsOf = (count: number) => Array.from({ length: count }, (_, seat) => seats[seat] ?? "casual");
  return (
    <form class="card" id="options" onSubmit={onSubmit(() => submit(create))}>
      <h2>{words.newGame}</h2>
      <Tiles
        legend={words.game}
        name="ruleset"
        values={rulesets.map(({ id }) => id)}
        chosen={ruleset}
        choose={setRuleset}
        textOf={(id) => rulesetTexts(id, words).name}
      />
      <Tiles
        legend={words.side}
        name="variant"
        values={chosen?.variants ?? []}
        chosen={side}
        choose={setVariant}
        textOf={(each) => variantName(ruleset, each, words)}
      />
      <Sureness ruleset={ruleset} variant={side} />
      <Tiles
        legend={words.players}
        name="count"
        values={chosen?.seat_counts ?? []}
        chosen={seats.length}
        choose={(count) => setSeats(seatsOf(count))}
        textOf={String}
      />
      {seats.map((seatKind, seat) => (
        <label key={seat} class="field">
          <span>{words.seat(seat)}</span>
          <select value={seatKind} onChange={({ currentTarget }) => choose(seat, currentTarget.value)}>
            <option value="me">{words.me}</option>
            <option value="open">{words.invited}</option>
            <LevelOptions />
          </select>
          {levelDescription(seatKind, words, levels) && (
            <small class="expected">{levelDescription(seatKind, words, levels)}</small>
          )}
        </label>
      ))}
      <SelectField label={words.clock} value={clock} choose={(value) => setClock(Number(value))}>
        <option value={-1}>{words.noClock}</option>
        {CLOCKS.map(([turn, bank], number) => (
          <option key={number} value={number}>
            {words.clockOf(turn, bank)}
          </option>
        ))}
      </SelectField>
      <details>
        <summary>{words.fromText}</summary>
        <textarea
          aria-label={words.fromText}
          placeholder={words.pasteHere}
          rows={4}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </details>
      {!seats.includes("me") && <p class="note">{words.noSeatForMe}</p>}
      <Button class="primary" whyNot={(isSending || !chosen) && words.busy}>
        {words.begin}
      </Button>
    </form>
  );
}
