/**
 * Steps of a move in Queen's Garden: take pieces of a colour or pattern; place a stored hexagon and pay for it; buy an
 * expansion for an area; or discard pieces and pass.
 */
import type { Schemas } from "@azul-games/client";
import { chooseOne, type Item, type Option, readyStep, scoredOption, type Step, sum } from "../base/steps";
import { distinctPieces, placeOf } from "./places";
import { areaAt, displayPiece, ownPiece, spaceAt } from "./selectors";
import type { Words } from "./words";

type Choices = Schemas["QueensGardenChoices"];
type Hexagon = Schemas["QueensGardenHexagon"];
type Piece = Schemas["QueensGardenPiece"];
type PieceChoice = Schemas["QueensGardenPieceChoice"];
type Acquire = Schemas["QueensGardenAcquireChoice"];
type Payment = Schemas["QueensGardenPayment"];
type PaymentChoice = Schemas["QueensGardenPaymentChoice"];
type Kind = Piece["kind"];
type Position = Schemas["QueensGardenPosition"];

const picture = (hexagon: Hexagon) => ({ symbol: `hexagon-${hexagon.colour}-${hexagon.pattern}` });

export function guide(choices: Choices, position: Position | null, seat: number, words: Words): Step {
  const acquire = choices.acquire.map((axis): Option => {
    const pieces = axis.pieces.flatMap(({ hexagon, sources }) => sources.map((source) => ({ ...source, hexagon })));
    return {
      label: words.allOf(axis.value, axis.pieces.length),
      selectors: pieces.map(displayPiece),
      next: () => pieceStep(axis, choices, position, words),
    };
  });
  const tiles = choices.place_tile.map(({ hexagon, points, spaces, payment }) => ({
    ...scoredOption(words.placeTile(words.hexagon(hexagon), payment.pieces), ownPiece(seat, "tile", hexagon), [
      words.roundPoints(points),
    ]),
    look: picture(hexagon),
    isDraggable: true,
    next: () =>
      chooseOne(
        words.ask.space,
        spaces.map(({ space, jokers }) => ({
          ...scoredOption(words.space(placeOf(space)), spaceAt(seat, space), [
            words.roundPoints(points),
            ...(jokers ? [words.jokers(jokers)] : []),
          ]),
          next: () =>
            paymentStep(payment, hexagon, seat, words, (paid) => ({
              type: "queens-garden.place_tile",
              hexagon,
              space,
              payment: paid,
            })),
        })),
        "ask",
      ),
  }));
  const expansions = choices.place_expansion.map(({ hexagon, points, placements, payment }) => ({
    ...scoredOption(
      words.placeExpansion(words.hexagon(hexagon), payment.pieces),
      ownPiece(seat, "expansion", hexagon),
      [words.roundPoints(points)],
    ),
    look: picture(hexagon),
    isDraggable: true,
    next: () =>
      chooseOne(
        words.ask.area,
        placements.map(({ area, rotations }) => ({
          ...scoredOption(words.area(area), areaAt(seat, area), [words.roundPoints(points)]),
          next: () =>
            chooseOne(
              words.ask.rotation,
              rotations.map((rotation) => ({
                label: words.rotation(rotation),
                selectors: [],
                look: { rotation },
                next: () =>
                  paymentStep(payment, hexagon, seat, words, (paid) => ({
                    type: "queens-garden.place_expansion",
                    hexagon,
                    area,
                    rotation,
                    payment: paid,
                  })),
              })),
              "ask",
            ),
        })),
        "ask",
      ),
  }));
  const buy = choices.buy_expansion.map(({ area, points }) => ({
    ...scoredOption(words.buy(words.area(area)), areaAt(seat, area), [words.choosing.points(points)]),
    next: () => readyStep({ type: "queens-garden.buy_expansion", area }),
  }));
  const cost = choices.pass.points ? `: ${words.choosing.points(choices.pass.points)}` : "";
  const passing = { label: words.pass + cost, selectors: [], next: () => discardStep(choices.pass, seat, words) };
  return chooseOne(words.ask.garden, [...acquire, ...tiles, ...expansions, ...buy, passing], "ask");
}

/** Choose one piece of each hexagon, as far as the storage has room. */
function pieceStep(
  axis: Acquire,
  choices: Choices,
  position: Position | null,
  words: Words,
  taken: readonly Piece[] = [],
): Step {
  const next = axis.pieces[taken.length];
  if (next === undefined)
    return readyStep({ type: "queens-garden.acquire", by: axis.by, value: axis.value, pieces: [...taken] });
  const remaining = axis.pieces.slice(taken.length + 1);
  const pieces = next.sources
    .map((source): Piece => ({ ...source, hexagon: next.hexagon }))
    .filter((piece) => fits([...taken, piece], remaining, choices));
  const options = distinctPieces(pieces, position?.display, taken).map((piece) => ({
    label: words.pieceOf(piece.kind, piece.from),
    selectors: [displayPiece(piece)],
    look: picture(piece.hexagon),
    next: () => pieceStep(axis, choices, position, words, [...taken, piece]),
  }));
  return chooseOne(words.ask.which(words.hexagon(next.hexagon)), options);
}

/** Return whether the taken pieces fit into the storage together with some choice of the remaining ones. */
function fits(
  taken: readonly Piece[],
  remaining: readonly PieceChoice[],
  { tile_spaces, expansion_spaces }: Choices,
): boolean {
  const countOnly = (kind: Kind) =>
    remaining.filter(({ sources }) => sources.every((source) => source.kind === kind)).length;
  const tiles = taken.filter(({ kind }) => kind === "tile").length + countOnly("tile");
  const expansions = taken.filter(({ kind }) => kind === "expansion").length + countOnly("expansion");
  return (
    tiles <= tile_spaces &&
    expansions <= expansion_spaces &&
    taken.length + remaining.length <= tile_spaces + expansion_spaces
  );
}

/** Choose the payment: jokers, and different hexagons that share the colour or the pattern. */
function paymentStep(
  choice: PaymentChoice,
  hexagon: Hexagon,
  seat: number,
  words: Words,
  act: (paid: Payment) => Schemas["Action"],
): Step {
  const payable = [
    ...choice.by_colour.map((each) => ({ ...each, axis: 1 })),
    ...choice.by_pattern.map((each) => ({ ...each, axis: 2 })),
  ].flatMap(({ hexagon, kinds, axis }) => kinds.map((kind) => ({ hexagon, kind, axis })));
  const items: Item[] = payable.map(({ hexagon, kind }) => ({
    label: words.piece(kind, words.hexagon(hexagon)),
    selectors: [ownPiece(seat, kind, hexagon)],
    look: picture(hexagon),
    max: 1,
  }));
  if (choice.jokers)
    items.push({
      label: words.joker,
      selectors: [`[data-seat="${seat}"][data-kind="joker"]`],
      look: { symbol: "joker" },
      max: choice.jokers,
    });
  const name = (hexagon: Hexagon) => `${hexagon.colour} ${hexagon.pattern}`;
  const canAdd = (chosen: readonly number[], item: number) => {
    const payment = payable[item];
    const others = payable.filter((_, place) => chosen[place]);
    const agrees =
      !payment || others.every(({ axis, hexagon }) => axis === payment.axis && name(hexagon) !== name(payment.hexagon));
    return agrees && sum(chosen) < choice.pieces;
  };
  const paid = (chosen: readonly number[]): Payment => {
    const chosenHexagons = (kind: Kind) =>
      payable.filter((each, place) => each.kind === kind && chosen[place]).map((each) => each.hexagon);
    return {
      tiles: chosenHexagons("tile"),
      expansions: chosenHexagons("expansion"),
      jokers: chosen[payable.length] ?? 0,
    };
  };
  const noCounts = items.map(() => 0);
  const ways = waysToPay(noCounts, items, choice.pieces, canAdd);
  if (ways.length === 1) return readyStep(act(paid(ways[0] ?? noCounts)));
  return {
    kind: "some",
    question: words.ask.pay(words.hexagon(hexagon), choice.pieces),
    items,
    start: noCounts,
    canAdd,
    isComplete: (chosen) => sum(chosen) === choice.pieces,
    next: (chosen) => readyStep(act(paid(chosen))),
  };
}

/** Return up to two ways to pay. If there is only one, the player is not asked. */
function waysToPay(
  chosen: readonly number[],
  items: readonly Item[],
  pieces: number,
  canAdd: (chosen: readonly number[], item: number) => boolean,
  from = 0,
): (readonly number[])[] {
  if (sum(chosen) === pieces) return [chosen];
  const ways: (readonly number[])[] = [];
  for (let item = from; item < items.length && ways.length < 2; item++) {
    if ((chosen[item] ?? 0) >= (items[item]?.max ?? 0) || !canAdd(chosen, item)) continue;
    const more = chosen.map((count, at) => (at === item ? count + 1 : count));
    ways.push(...waysToPay(more, items, pieces, canAdd, item));
  }
  return ways;
}

/** Choose the pieces to discard before passing. */
function discardStep({ tiles, expansions }: Schemas["QueensGardenDiscardChoice"], seat: number, words: Words): Step {
  const stored = Object.entries(tiles).flatMap(([colour, patterns]) =>
    Object.entries(patterns).map(([pattern, count]) => ({
      kind: "tile" as Kind,
      hexagon: { colour, pattern } as Hexagon,
      count,
    })),
  );
  const pieces = [...stored, ...expansions.map((hexagon) => ({ kind: "expansion" as Kind, hexagon, count: 1 }))];
  const chosenHexagons = (chosen: readonly number[], wantedKind: Kind) =>
    pieces.flatMap(({ kind, hexagon }, item) =>
      kind === wantedKind ? Array.from({ length: chosen[item] ?? 0 }, () => hexagon) : [],
    );
  const next = (chosen: readonly number[]) =>
    readyStep({
      type: "queens-garden.pass",
      discard: { tiles: chosenHexagons(chosen, "tile"), expansions: chosenHexagons(chosen, "expansion") },
    });
  return {
    kind: "some",
    question: pieces.length ? words.ask.discard : words.ask.passing,
    items: pieces.map(({ kind, hexagon, count }) => ({
      label: words.piece(kind, words.hexagon(hexagon)),
      selectors: [ownPiece(seat, kind, hexagon)],
      look: picture(hexagon),
      max: count,
    })),
    start: pieces.map(() => 0),
    canAdd: () => true,
    isComplete: () => true,
    next,
  };
}
