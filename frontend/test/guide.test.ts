import type { Schemas } from "@azul-games/client";
import { describe, expect, test } from "vitest";
import { moveArrow } from "../src/game/stage/drawings";
import { outcomeOf } from "../src/rulesets/azul/guide";
import { words as azul } from "../src/rulesets/azul/words";
import type { Action, CountChoice, Option, SingleChoice, Step } from "../src/rulesets/base/steps";
import { firstStep } from "../src/rulesets/choices";
import { placeOf } from "../src/rulesets/queens-garden/places";
import { words as garden } from "../src/rulesets/queens-garden/words";
import { words as pavilion } from "../src/rulesets/summer-pavilion/words";
import { WORDS } from "../src/shared/words";
import { apiExample, RARE_DECISIONS, type RareDecision, rareDecision, recordedLesson, RULESETS } from "./recordings";

const { en } = WORDS;

const firstChoice = ({ game, choices }: Pick<RareDecision, "game" | "choices">): SingleChoice =>
  firstStep(choices, game.position, game.to_decide ?? 0, en) as SingleChoice;

const nextStep = (step: Step, label: string): Step => {
  const option = (step as SingleChoice).options.find((each) => each.label.split(":")[0] === label);
  if (!option)
    throw new Error(`${label} is none of ${(step as SingleChoice).options.map((each) => each.label).join("; ")}`);
  return option.next();
};

/** Yield all options and items below a step. */
function* optionsOf(step: Step): Generator<Pick<Option, "selectors">> {
  if (step.kind === "some") yield* step.items;
  if (step.kind !== "one") return;
  for (const option of step.options) {
    yield option;
    yield* optionsOf(option.next());
  }
}

/** Return all actions below a step. Steps that count contribute the action of their initial counts. */
function actionsOf(step: Step): Action[] {
  if (step.kind === "ready") return [step.action];
  if (step.kind === "some") return actionsOf(step.next(step.start));
  return step.options.flatMap((option) => actionsOf(option.next()));
}

const inPicture = (places: string | null): Element => {
  const host = document.createElement("div");
  host.innerHTML = places ?? "";
  return host;
};

describe.each(RULESETS)("guide of %s", (ruleset) => {
  const { decisions } = recordedLesson(ruleset);

  test("all selectors exist in the picture", () => {
    for (const { game, choices, places } of decisions.filter((each) => each.places !== null)) {
      const picture = inPicture(places);
      const ways = actionsOf(firstChoice({ game, choices })).map((action) => moveArrow(action, 0, "best"));
      const led = ways.flatMap(({ from, to }) => (to === null ? from : [...from, to]));
      const selectors = [
        ...new Set([...[...optionsOf(firstChoice({ game, choices }))].flatMap(({ selectors }) => selectors), ...led]),
      ];
      expect(selectors.length).toBeGreaterThan(4);
      expect(selectors.filter((selector) => !picture.querySelector(selector))).toEqual([]);
    }
  });

  test("the recorded action can be reached", () => {
    for (const [number, decision] of decisions.slice(0, -1).entries()) {
      const made = decisions[number + 1]?.events.find(({ kind, seat }) => kind === "action" && seat === 0)?.action;
      const { type } = made as Action;
      expect(actionsOf(firstChoice(decision)).map((each) => each.type)).toContain(type);
    }
  });

  test("both languages have the same options", () => {
    for (const { game, choices } of decisions) {
      const count = (language: "en" | "de") =>
        [...optionsOf(firstStep(choices, game.position, 0, WORDS[language]))].length;
      expect(count("de")).toBe(count("en"));
    }
  });
});

test.each(RARE_DECISIONS)("selectors of a rare decision exist in the picture: %s", (name) => {
  const { places, ...decision } = rareDecision(name);
  const picture = inPicture(places);
  const options = [...optionsOf(firstChoice(decision))].flatMap(({ selectors }) => selectors);
  const ways = actionsOf(firstChoice(decision)).map((action) =>
    moveArrow(action, decision.game.to_decide ?? 0, "best"),
  );
  const wanted = new Set([...options, ...ways.flatMap(({ from, to }) => (to === null ? from : [...from, to]))]);
  expect(wanted.size).toBeGreaterThan(1);
  expect([...wanted].filter((selector) => !picture.querySelector(selector))).toEqual([]);
});

describe("Azul", () => {
  const { en } = azul;
  const decision = recordedLesson("azul").decisions[0] as RareDecision;

  test("a colour offers its legal lines", () => {
    const { draft } = decision.choices as Schemas["AzulChoices"];
    const [choice] = draft;
    const lines = firstChoice(decision).options[0]?.next() as SingleChoice;
    expect(actionsOf(lines)).toEqual(
      choice?.lines.map(({ line }) => ({ type: "azul.draft", source: choice.source, colour: choice.colour, line })),
    );
  });

  test("choices name the number of tiles, and how many fall to the floor", () => {
    let named = 0;
    for (const { label, selectors, next } of firstChoice(decision).options) {
      const [, source, colour = ""] = selectors[0]?.match(/#(\w+) \[data-colour="(\w+)"/) ?? [];
      const tiles = (decision.game.position as Schemas["AzulPosition"]).factories[Number(source?.split("_")[1])];
      const count = tiles?.[colour as Schemas["AzulColour"]] ?? NaN;
      expect(label).toBe(`${count} ${colour} from ${en.source(source ?? "")}`);
      for (const [line, option] of (next() as SingleChoice).options.slice(0, -1).entries()) {
        const fallen = Math.max(0, count - line - 1);
        expect(option.label.includes(`${fallen} to the floor`)).toBe(fallen > 0);
        named += fallen;
      }
    }
    expect(named).toBeGreaterThan(5);
  });

  test("previews show fallen tiles and their cost", () => {
    const costs: Record<number, number> = { 0: 0, 1: 1, 2: 2, 3: 4, 4: 6, 5: 8 };
    let shown = 0;
    for (const option of firstChoice(decision).options)
      for (const { label, preview } of (option.next() as SingleChoice).options) {
        const fallen = preview?.fills.filter(({ selector }) => selector === "#seat_0_floor") ?? [];
        const cost = costs[fallen.reduce((all, { count }) => all + count, 0)] ?? NaN;
        const floor = preview?.notes.find(({ selector }) => selector === "#seat_0_floor")?.text;
        expect(floor).toBe(cost ? en.choosing.points(-cost) : undefined);
        expect(label.includes("−")).toBe(cost > 0);
        shown += cost;
      }
    expect(shown).toBeGreaterThan(20);
  });

  test("only complete lines announce the points of their tile", () => {
    const { draft } = decision.choices as Schemas["AzulChoices"];
    const announced = new Set<boolean>();
    firstChoice(decision).options.forEach((option, at) =>
      (option.next() as SingleChoice).options.forEach(({ label, selectors, preview }, row) => {
        const { line, tile_points } = draft[at]?.lines[row] as Schemas["AzulLineChoice"];
        const placed = preview?.fills[0]?.count ?? 0;
        const isComplete = typeof line === "number" && placed === line + 1; // the lines are empty
        const note = preview?.notes.find(({ selector }) => selector === selectors[0] && line !== "floor")?.text;
        expect(note).toBe(isComplete ? en.choosing.points(tile_points) : undefined);
        expect(label.includes("+")).toBe(isComplete);
        announced.add(isComplete);
      }),
    );
    expect(announced.size).toBe(2);
  });

  test("the start token takes a floor space before fallen tiles", () => {
    const { game, choices } = recordedLesson("azul").decisions[1] as RareDecision;
    const position = game.position as Schemas["AzulPosition"];
    const draft = (choices as Schemas["AzulChoices"]).draft.find(({ source }) => source === "centre");
    const line = draft?.lines.at(-1) as Schemas["AzulLineChoice"];
    const outcome = outcomeOf(draft as Schemas["AzulDraftChoice"], line, position, 0);
    expect(position.start_token).toBe("centre");
    expect(outcome).toMatchObject({ placed: 0, token: true });
    const lines = firstChoice({ game, choices })
      .options.find(({ selectors }) => selectors[0]?.startsWith("#centre"))
      ?.next() as SingleChoice;
    const fills = lines.options.at(-1)?.preview?.fills ?? [];
    expect(fills.map(({ symbol, count }) => [symbol, count]).slice(1)).toEqual([
      ["start-token", 1],
      [outcome?.symbol, outcome?.fallen],
    ]);
    expect(outcome?.fallen).toBe(position.centre[draft?.colour as Schemas["AzulColour"]]);
  });

  test("the grey side asks for the column of a tile", () => {
    const { game, choices, places } = rareDecision("tile");
    const { tile } = choices as Schemas["AzulChoices"];
    const step = firstChoice({ game, choices });
    expect(step.question).toBe(en.ask.column(tile?.line ?? NaN));
    expect(step.options.map(({ label }) => label)).toEqual(
      tile?.columns.map(({ column, points }) => `${en.column(column)}: ${en.choosing.points(points)}`),
    );
    for (const { selectors } of step.options) expect(inPicture(places).querySelector(selectors.join())).not.toBeNull();
    const [action] = actionsOf(step);
    expect(action).toEqual({ type: "azul.tile", line: tile?.line, column: tile?.columns[0]?.column });
    const ends = actionsOf(step).map((each) => moveArrow(each, game.to_decide ?? 0, "best").to);
    expect(ends).toEqual(step.options.map(({ selectors }) => selectors.join()));
  });
});

describe("Summer Pavilion", () => {
  const { en } = pavilion;
  const passing = (): CountChoice => nextStep(firstChoice(rareDecision("pass")), en.pass) as CountChoice;
  const held = () => (rareDecision("pass").choices as Schemas["SummerPavilionChoices"]).pass?.hand ?? {};
  const sum = (counts: Iterable<number>): number => [...counts].reduce((all, each) => all + each, 0);

  test("a choice names the tiles of a colour and the wild tile", () => {
    const { game, choices } = recordedLesson("summer-pavilion").decisions[0] as RareDecision;
    const { factories, wild } = game.position as Schemas["SummerPavilionPosition"];
    const withWild = factories.findIndex((tiles) => wild && tiles[wild] && Object.keys(tiles).length > 1);
    const labels = firstChoice({ game, choices })
      .options.map(({ label }) => label)
      .filter((label) => label.endsWith(en.source(`factory_${withWild}`)));
    const others = Object.entries(factories[withWild] ?? {}).filter(([colour]) => colour !== wild);
    expect(labels.length).toBeGreaterThan(0);
    expect(labels).toEqual(
      others.map(([colour, count]) => `${count} ${colour} + 1 wild from ${en.source(`factory_${withWild}`)}`),
    );
  });

  test("spaces announce the points of the choices, and the centre the cost of the start token", () => {
    const notes = recordedLesson("summer-pavilion").decisions.flatMap((each) => {
      const { acquire, place } = each.choices as Schemas["SummerPavilionChoices"];
      const offered = acquire.flatMap(({ colours }) =>
        colours.map(({ points }) => (points ? en.choosing.points(points) : "")),
      );
      const placed = place.map(
        ({ points, bonus }) => en.choosing.points(points) + (bonus ? `, ${en.bonusTiles(bonus)}` : ""),
      );
      const shown = firstChoice(each).options.slice(0, offered.length + placed.length);
      for (const { label, preview, selectors } of shown)
        for (const { selector, text } of preview?.notes ?? [])
          expect([selectors, label]).toEqual([[selector], expect.stringContaining(`: ${text}`)]);
      expect(shown.map(({ preview }) => preview?.notes[0]?.text ?? "")).toEqual([...offered, ...placed]);
      return [...offered, ...placed];
    });
    expect(notes).toEqual(expect.arrayContaining(["", "−2 points", "+1 point", "+2 points"]));
  });

  test("the default is to keep future wild tiles, then the most frequent colours", () => {
    const { round } = rareDecision("pass").game.position as Schemas["SummerPavilionPosition"];
    const wild = ["purple", "green", "orange", "yellow", "blue", "red"][round] ?? "";
    const action = actionsOf(passing())[0] as Schemas["SummerPavilionPass"];
    const hand = held() as Record<string, number>;
    const kept = action.keep as Record<string, number>;
    expect(sum(Object.values(kept))).toBe(4);
    expect(kept[wild] ?? 0).toBe(Math.min(4, hand[wild] ?? 0));
    const others = Object.keys(hand).filter((colour) => colour !== wild && !kept[colour]);
    const fewest = Math.min(
      ...Object.keys(kept)
        .filter((colour) => colour !== wild)
        .map((colour) => hand[colour] ?? 0),
    );
    for (const colour of others) expect(hand[colour] ?? 0).toBeLessThanOrEqual(fewest);
  });

  test("the description names the cost of discarded tiles, limited by the minimum score", () => {
    const { game } = rareDecision("pass");
    const step = passing();
    const all = sum(Object.values(held()).map(Number));
    const score = game.seats[game.to_decide ?? 0]?.score ?? 0;
    const lost = Math.min(all - 4, score - 1);
    expect(step.describe?.(step.start)).toContain(`You keep 4`);
    expect(step.describe?.(step.start)).toContain(`discard ${all - 4}, which costs ${lost} point`);
  });

  test("at most four tiles can be kept", () => {
    const step = passing();
    expect(step.items.map((_, item) => step.canAdd(step.start, item))).not.toContain(true);
    expect(
      step.canAdd(
        step.items.map(() => 0),
        0,
      ),
    ).toBe(true);
    expect(step.isComplete(step.items.map(() => 0))).toBe(true);
  });

  test("bonus tiles of the supply are offered", () => {
    const { game, choices, places } = rareDecision("bonus");
    const step = firstChoice({ game, choices });
    expect(step.question).toBe(en.ask.bonus);
    expect(actionsOf(step).map((action) => "colour" in action && action.colour)).toEqual(
      (choices as Schemas["SummerPavilionChoices"]).take_bonus,
    );
    for (const { selectors } of step.options) expect(inPicture(places).querySelector(selectors.join())).not.toBeNull();
  });

  test("the number of wild tiles is asked unless there is only one way to pay", () => {
    const { choices } = apiExample<Schemas["LegalChoices"]>("getLegalChoices.summer-pavilion");
    for (const { star, slot, number, colours } of (choices as Schemas["SummerPavilionChoices"]).place) {
      const step = firstStep(choices as Schemas["SummerPavilionChoices"], null, 1, WORDS.en);
      const paid = actionsOf(nextStep(step, en.slot(en.starSpace(star, slot, ""), number)));
      const ways = colours.flatMap(({ colour, fewest_wilds, most_wilds }) =>
        Array.from({ length: most_wilds - fewest_wilds + 1 }, (_, more) => ({ colour, wilds: fewest_wilds + more })),
      );
      expect(paid).toEqual(ways.map((way) => ({ type: "summer-pavilion.place", star, slot, ...way })));
    }
  });
});

describe("Queen's Garden", () => {
  const { en } = garden;
  const { choices } = apiExample<Schemas["LegalChoices"]>("getLegalChoices.queens-garden");
  const offered = choices as Schemas["QueensGardenChoices"];
  const step = firstStep(offered, null, 0, WORDS.en);

  /** Return the payment step of the first tile with this price. */
  const paying = (pieces: number): CountChoice => {
    const tile = offered.place_tile.find(({ payment }) => payment.pieces === pieces);
    const spaces = nextStep(
      step,
      en.placeTile(en.hexagon(tile?.hexagon as Schemas["QueensGardenHexagon"]), pieces),
    ) as SingleChoice;
    return spaces.options[0]?.next() as CountChoice;
  };

  test("spaces announce the points of the round and the jokers of completed elements", () => {
    const [tile] = offered.place_tile;
    const spaces = tile?.spaces.map((each, at) => ({ ...each, jokers: at }));
    const place_tile = [{ ...tile, spaces }] as Schemas["QueensGardenPlaceTileChoice"][];
    const placing = firstStep({ ...offered, place_tile }, null, 0, WORDS.en) as SingleChoice;
    const [chosen] = placing.options.filter(({ label }) => label.startsWith("Place "));
    const where = chosen?.next() as SingleChoice;
    const points = en.roundPoints(tile?.points ?? NaN);
    expect(chosen?.preview?.notes.map(({ text }) => text)).toEqual([points]);
    expect(where.options.map(({ preview }) => preview?.notes[0]?.text)).toEqual(
      spaces?.map(({ jokers }) => (jokers ? `${points}, ${en.jokers(jokers)}` : points)),
    );
  });

  test("all offered takes fit into the storage", () => {
    for (const action of actionsOf(step)) {
      if (action.type !== "queens-garden.acquire") continue;
      const kinds = action.pieces.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "tile").length).toBeLessThanOrEqual(offered.tile_spaces);
      expect(kinds.filter((kind) => kind === "expansion").length).toBeLessThanOrEqual(offered.expansion_spaces);
    }
  });

  test("payments consist of jokers and pieces of one colour or pattern", () => {
    const some = paying(4);
    const joker = some.items.findIndex(({ label }) => label === en.joker);
    expect(some.items[joker]?.max).toBe(3);
    const one = some.items.map((_, at) => Number(at === 0));
    expect(some.isComplete(one)).toBe(false);
    const all = one.map((count, at) => (at === joker ? 3 : count));
    expect(some.isComplete(all)).toBe(true);
    expect(some.canAdd(all, joker)).toBe(false);
    const [action] = actionsOf(some.next(all));
    expect(action).toMatchObject({ type: "queens-garden.place_tile", payment: { jokers: 3, expansions: [] } });
    expect((action as Schemas["QueensGardenPlaceTile"]).payment.tiles).toHaveLength(1);
  });

  test("a payment cannot mix a colour and a pattern", () => {
    const { game, choices: mixed } = rareDecision("mixture");
    const { hexagon, payment } = (mixed as Schemas["QueensGardenChoices"]).place_tile.find(
      ({ payment: { by_colour, by_pattern, pieces } }) => pieces > 1 && by_colour.length && by_pattern.length,
    ) as Schemas["QueensGardenPlaceTileChoice"];
    const spaces = nextStep(
      firstChoice({ game, choices: mixed }),
      en.placeTile(en.hexagon(hexagon), payment.pieces),
    ) as SingleChoice;
    const some = spaces.options[0]?.next() as CountChoice;
    const colours = payment.by_colour.reduce((all, { kinds }) => all + kinds.length, 0);
    const patterns = payment.by_pattern.reduce((all, { kinds }) => all + kinds.length, 0);
    const chosen = (item: number) => some.items.map((_, at) => Number(at === item));
    for (let colour = 0; colour < colours; colour++)
      for (let pattern = colours; pattern < colours + patterns; pattern++) {
        expect(some.canAdd(chosen(colour), pattern)).toBe(false);
        expect(some.canAdd(chosen(pattern), colour)).toBe(false);
      }
    if (payment.jokers) expect(some.canAdd(chosen(0), colours + patterns)).toBe(true);
  });

  test("a full storage restricts the kinds of taken pieces", () => {
    const { game, choices: full } = rareDecision("full");
    const { tile_spaces, expansion_spaces } = full as Schemas["QueensGardenChoices"];
    const taken = actionsOf(firstChoice({ game, choices: full })).flatMap((action) =>
      action.type === "queens-garden.acquire" ? [action.pieces.map(({ kind }) => kind)] : [],
    );
    expect(taken.length).toBeGreaterThan(0);
    for (const kinds of taken) {
      expect(kinds.filter((kind) => kind === "tile").length).toBeLessThanOrEqual(tile_spaces);
      expect(kinds.filter((kind) => kind === "expansion").length).toBeLessThanOrEqual(expansion_spaces);
    }
  });

  test("passing discards the chosen pieces", () => {
    const passing = nextStep(step, en.pass) as CountChoice;
    expect(passing.start).toEqual(passing.items.map(() => 0));
    const [action] = actionsOf(passing.next(passing.items.map(({ max }) => max)));
    const stored = Object.values(offered.pass.tiles).flatMap((each) => Object.values(each as Record<string, number>));
    expect((action as Schemas["QueensGardenPass"]).discard.tiles).toHaveLength(
      stored.reduce((all, each) => all + each, 0),
    );
  });

  test("an expansion is rotated before it is placed", () => {
    const { game, choices: rare } = rareDecision("expansion");
    const [placing] = (rare as Schemas["QueensGardenChoices"]).place_expansion;
    const areas = nextStep(
      firstChoice({ game, choices: rare }),
      en.placeExpansion(
        en.hexagon(placing?.hexagon as Schemas["QueensGardenHexagon"]),
        placing?.payment.pieces as number,
      ),
    ) as SingleChoice;
    expect(areas.options.map(({ label }) => label)).toEqual(
      placing?.placements.map(({ area }) => `${en.area(area)}: ${en.roundPoints(placing.points)}`),
    );
    const rotations = areas.options[0]?.next() as SingleChoice;
    expect(rotations.options.map(({ look }) => look)).toEqual(
      placing?.placements[0]?.rotations.map((rotation) => ({ rotation })),
    );
  });

  test("every space of a garden has its own name", () => {
    expect(placeOf([1, 0])).toEqual({ area: null, at: 0 });
    expect(placeOf([0, 3])).toEqual({ area: 1, at: null });
    expect(placeOf([4, -1])).toEqual({ area: 0, at: 5 });
    const names = offered.place_tile[0]?.spaces.map(({ space }) => en.space(placeOf(space)));
    expect(new Set(names).size).toBe(names?.length);
  });
});
