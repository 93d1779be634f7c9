/**
 * Check every draw of an exported game: `node verify.ts record.json`. It needs only Node 22.18 or newer.
 *
 * This is verify.py in TypeScript. The record is the response of `GET /v1/games/{id}/export` for a finished game, or a
 * game of a tournament, in JSON. Exit status: 0 all draws are correct; 1 an event is wrong or damaged, its number is
 * printed; 2 nothing can be checked, for example because the file is not a record.
 */

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

type Json = Record<string, unknown>;
type Tiles = Map<string, number>;
type Kinds = { string: string; integer: number; array: unknown[]; object: Json };

const MASK = (1n << 64n) - 1n;
const LOW = (1n << 32n) - 1n;

/** An event that does not follow from the seed or is damaged. Number 0 is the seed itself. */
export class BadEvent extends Error {
  readonly number: number;
  constructor(number: number, why: string) {
    super(`event ${number}: ${why}`);
    this.number = number;
  }
}

/** The record cannot be checked. */
export class Unchecked extends Error {}

/** Return the type of a value in JSON. */
function kindOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Return a value of an object. Throws if it is missing or has another type. */
function get<K extends keyof Kinds>(data: unknown, key: string, kind: K): Kinds[K] {
  const value = kindOfValue(data) === "object" ? (data as Json)[key] : undefined;
  if (kindOfValue(value) !== kind) throw new Error(`\`${key}\` is missing or has the wrong type`);
  return value as Kinds[K];
}

/** Return a number from 0 to `most`. Throws if it is another value. */
function numberTo(most: number, data: Json, key: string): number {
  const value = get(data, key, "integer");
  if (value < 0 || value > most) throw new Error(`\`${key}\` must be a number from 0 to ${most}`);
  return value;
}

interface Source {
  numberBelow(bound: number): number;
  tile(bag: Tiles): string;
}

/** xoshiro256** with the key HMAC-SHA256(seed, number of the event). */
class Generator implements Source {
  private s: [bigint, bigint, bigint, bigint];

  constructor(seed: Buffer, number: number) {
    const key = createHmac("sha256", seed).update(String(number)).digest();
    this.s = [key.readBigUInt64LE(0), key.readBigUInt64LE(8), key.readBigUInt64LE(16), key.readBigUInt64LE(24)];
  }

  private nextBits(): bigint {
    const s = this.s;
    const product = (s[1] * 5n) & MASK;
    const result = (((product << 7n) | (product >> 57n)) * 9n) & MASK;
    const shifted = (s[1] << 17n) & MASK;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = ((s[3] << 45n) | (s[3] >> 19n)) & MASK;
    return result;
  }

  numberBelow(bound: number): number {
    const n = BigInt(bound);
    for (;;) {
      const product = (this.nextBits() >> 32n) * n;
      if ((product & LOW) >= ((1n << 32n) - n) % n) return Number(product >> 32n);
    }
  }

  /** Return a tile of the bag. */
  tile(bag: Tiles): string {
    let rest = this.numberBelow(sum(bag));
    for (const [name, count] of bag) {
      if (rest < count) return name;
      rest -= count;
    }
    throw new Error("an empty bag");
  }
}

/** Returns the draw in the record, for draws before the import of the game. */
class RecordedDraw implements Source {
  private readonly draw: Json;
  private readonly tiles: unknown[];

  constructor(draw: Json) {
    this.draw = draw;
    this.tiles = [...(Object.values(draw).find(Array.isArray) ?? [])];
  }

  numberBelow(bound: number): number {
    return numberTo(bound - 1, this.draw, "seat");
  }

  /** Return the recorded tile. Throws if the bag does not contain it. */
  tile(bag: Tiles): string {
    const name = nameOf(this.tiles.shift() ?? "");
    if (!bag.get(name)) throw new Error("impossible draw");
    return name;
  }
}

const sum = (tiles: Iterable<[string, number]>): number => [...tiles].reduce((all, [, count]) => all + count, 0);

/** Return the type of a draw or an effect without the id of the ruleset. */
function kindOf(typed: unknown): string {
  const type = get(typed, "type", "string");
  return type.slice(type.lastIndexOf(".") + 1);
}

/** Return the key of a tile in a bag: a colour, or the colour and pattern of a hexagon. */
function nameOf(tile: unknown): string {
  if (typeof tile === "string") return tile;
  return `${get(tile, "colour", "string")} ${get(tile, "pattern", "string")}`;
}

/** Return the tile of a key, as in records. */
function tileOf(name: string): unknown {
  const [colour, pattern] = name.split(" ");
  return pattern === undefined ? colour : { colour, pattern };
}

/** Return the number of these tiles. Throws if the ruleset has no such tile. */
function countOf(tiles: Tiles, name: string): number {
  const count = tiles.get(name);
  if (count === undefined) throw new Error(`unknown tile: ${name}`);
  return count;
}

/** Add this many tiles, or remove them if `count` is negative. Throws if fewer than 0 would remain. */
function add(tiles: Tiles, name: string, count: number): void {
  const total = countOf(tiles, name) + count;
  if (total < 0) throw new Error(`too few tiles: ${name}`);
  tiles.set(name, total);
}

/** The state that the draws of a game depend on: the bag, and the spare tiles that return to it. */
abstract class Draws {
  readonly seats: number;
  readonly kinds: string[];
  readonly copies: number;
  readonly spareKey: string;
  bag: Tiles;
  spare: Tiles; // box lid, or tower

  constructor(seats: number, kinds: string[], copies: number, spareKey = "tower") {
    this.seats = seats;
    this.kinds = kinds;
    this.copies = copies;
    this.spareKey = spareKey;
    this.bag = this.filled(copies);
    this.spare = this.filled(0);
  }

  /** Return the draw of this type, and remove its tiles from the bag. */
  protected drawKind(kind: string, source: Source, _effects: unknown[]): Json {
    if (kind === "first_seat") return { seat: source.numberBelow(this.seats) };
    throw new Error(`unknown draw: ${kind}`);
  }

  /** Apply an effect to the state. */
  abstract see(effect: Json): void;

  /** Use the position that the game starts from. */
  beginAt(position: Json): void {
    this.bag = this.bagOf(position, "bag");
    this.spare = this.bagOf(position, this.spareKey);
  }

  copy(): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), structuredClone({ ...this }));
  }

  /** Return the draw of this event, and remove its tiles from the bag. */
  draw(source: Source, recorded: Json, effects: unknown[]): Json {
    return { type: recorded["type"], ...this.drawKind(kindOf(recorded), source, effects) };
  }

  protected filled(count: number): Tiles {
    return new Map(this.kinds.map((name) => [name, count]));
  }

  /** Return the bag for counts by colour, or by colour and pattern. */
  protected bagOf(data: Json, key: string): Tiles {
    const bag = this.filled(0);
    const counts = get(data, key, "object");
    for (const [colour, count] of Object.entries(counts)) {
      if (kindOfValue(count) === "object") {
        for (const pattern of Object.keys(count as Json)) {
          add(bag, `${colour} ${pattern}`, numberTo(this.copies, count as Json, pattern));
        }
      } else {
        add(bag, colour, numberTo(this.copies, counts, colour));
      }
    }
    return bag;
  }

  /** Draw up to `most` tiles, one by one. */
  protected take(source: Source, bag: Tiles, most: number): unknown[] {
    const tiles: unknown[] = [];
    while (tiles.length < most && sum(bag) > 0) {
      const name = source.tile(bag);
      add(bag, name, -1);
      tiles.push(tileOf(name));
    }
    return tiles;
  }

  /** Draw tiles from the bag. When it is empty, the spare tiles return to it. */
  protected deal(source: Source, wanted: number): unknown[] {
    const tiles = this.take(source, this.bag, wanted);
    if (tiles.length >= wanted) return tiles;
    this.refill();
    return [...tiles, ...this.take(source, this.bag, wanted - tiles.length)];
  }

  protected refill(): void {
    for (const [name, count] of this.spare) add(this.bag, name, count);
    this.spare = this.filled(0);
  }

  /** Add tiles to the spare ones. */
  protected putAside(tiles: Iterable<[string, number]>): void {
    for (const [name, count] of tiles) add(this.spare, name, count);
  }
}

/** Return one of each tile, as entries of a bag. */
const ones = (tiles: unknown[]): [string, number][] => tiles.map((tile) => [nameOf(tile), 1]);

class Azul extends Draws {
  constructor(seats: number) {
    super(seats, ["blue", "yellow", "red", "black", "white"], 20, "box_lid");
  }

  override beginAt(position: Json): void {
    super.beginAt(position);
    // tiles on the floor reach the lid before the next refill
    const fallen = get(position, "seats", "array").flatMap((seat) => get(seat, "floor_line", "array"));
    this.putAside(ones(fallen.filter((tile) => this.kinds.includes(tile as string))));
  }

  protected override drawKind(kind: string, source: Source, effects: unknown[]): Json {
    if (kind === "deal") return { tiles: this.deal(source, 4 * (2 * this.seats + 1)) };
    return super.drawKind(kind, source, effects);
  }

  override see(effect: Json): void {
    const kind = kindOf(effect);
    if (kind === "tiles_fallen" || kind === "line_fallen") this.addSpare(effect, "count");
    else if (kind === "tile_placed") this.addSpare(effect, "line"); // one tile stays on the wall
  }

  private addSpare(effect: Json, key: string): void {
    add(this.spare, get(effect, "colour", "string"), numberTo(this.copies, effect, key));
  }
}

class SummerPavilion extends Draws {
  supply = 0; // number of tiles

  constructor(seats: number) {
    super(seats, ["purple", "green", "orange", "yellow", "blue", "red"], 22);
  }

  override beginAt(position: Json): void {
    super.beginAt(position);
    this.supply = sum(this.bagOf(position, "supply"));
  }

  protected override drawKind(kind: string, source: Source, effects: unknown[]): Json {
    if (kind !== "refill" && kind !== "deal") return super.drawKind(kind, source, effects);
    const tiles = this.deal(source, 10 - this.supply + (kind === "deal" ? 4 * (2 * this.seats + 1) : 0));
    this.supply = Math.min(10, this.supply + tiles.length);
    return { tiles };
  }

  override see(effect: Json): void {
    const kind = kindOf(effect);
    if (kind === "tile_placed") this.putAside(this.bagOf(effect, "spent"));
    else if (kind === "passed") this.putAside(this.bagOf(effect, "discarded"));
    else if (kind === "bonus_taken") this.supply -= 1;
  }
}

const GARDEN_COLOURS = ["blue", "dark_green", "light_green", "yellow", "light_purple", "dark_purple"];
const PATTERNS = ["tree", "bird", "butterfly", "flower", "plant", "bellflower"];

class QueensGarden extends Draws {
  display = this.filled(0); // the tiles there
  unseen = this.filled(1); // faces that were never visible

  constructor(seats: number) {
    super(
      seats,
      GARDEN_COLOURS.flatMap((colour) => PATTERNS.map((pattern) => `${colour} ${pattern}`)),
      3,
    );
  }

  override beginAt(position: Json): void {
    super.beginAt(position);
    const display = get(position, "display", "object");
    const beside = get(display, "beside", "array").flatMap((tiles) => get(tiles, "tiles", "array"));
    this.display = this.filled(0);
    for (const tile of [...get(display, "top", "array"), ...beside]) add(this.display, nameOf(tile), 1);
    this.unseen = this.filled(0);
    for (const face of get(position, "unseen", "array")) add(this.unseen, nameOf(face), 1);
  }

  protected override drawKind(kind: string, source: Source, effects: unknown[]): Json {
    if (kind === "turn") return { faces: this.take(source, this.unseen, this.turning(effects)) };
    if (kind !== "fill") return super.drawKind(kind, source, effects);
    if (sum(this.bag) < 4) this.refill();
    const tiles = this.take(source, this.bag, 4);
    for (const tile of tiles) add(this.display, nameOf(tile), 1);
    return { tiles };
  }

  /** Return how many faces become visible for the first time. */
  private turning(effects: unknown[]): number {
    return effects
      .filter((effect) => kindOf(effect) === "expansions_turned")
      .flatMap((effect) => get(effect, "expansions", "array"))
      .reduce((count: number, turned) => count + countOf(this.unseen, nameOf(get(turned, "hexagon", "object"))), 0);
  }

  override see(effect: Json): void {
    const kind = kindOf(effect);
    if (kind === "tile_placed" || kind === "expansion_placed") {
      this.putAside(ones(get(get(effect, "payment", "object"), "tiles", "array")));
    } else if (kind === "passed") {
      this.putAside(ones(get(get(effect, "discarded", "object"), "tiles", "array")));
    } else if (kind === "round_ended") {
      this.putAside(this.display);
      this.display = this.filled(0);
    } else if (kind === "pieces_acquired") {
      for (const piece of get(effect, "pieces", "array")) {
        if (get(piece, "kind", "string") === "tile") add(this.display, nameOf(get(piece, "hexagon", "object")), -1);
      }
    }
  }
}

/** The draws by ruleset. */
const DRAWS = new Map<string, new (seats: number) => Draws>([
  ["azul", Azul],
  ["summer-pavilion", SummerPavilion],
  ["queens-garden", QueensGarden],
]);

/** Return the draws before the first event of a game. */
function drawsOf(ruleset: string, record: Json): Draws {
  const known = DRAWS.get(ruleset);
  if (known === undefined) throw new Error(`the draws of ${ruleset} are unknown`);
  const draws = new known(get(record, "seats", "array").length);
  if ((record["position"] ?? null) !== null) draws.beginAt(get(record, "position", "object"));
  return draws;
}

/** Return the seed, which must match `seed_commitment`. */
function seedOf(record: Json): Buffer {
  const text = record["seed"] ?? null;
  if (text === null) throw new Error("the record has no seed: the game is not over");
  if (typeof text !== "string" || !/^[0-9a-fA-F]{64}$/.test(text)) {
    throw new BadEvent(0, "the seed must have 64 hexadecimal digits");
  }
  const seed = Buffer.from(text, "hex");
  if (createHash("sha256").update(seed).digest("hex") !== record["seed_commitment"]) {
    throw new BadEvent(0, "the seed does not match seed_commitment");
  }
  return seed;
}

/** Return the draws after an event. `past`: those after each earlier event; `source`: null before the import. */
function drawsAfter(event: unknown, past: Draws[], source: Source | null): Draws {
  if (get(event, "revision", "integer") !== past.length) throw new Error("an event is missing or out of order");
  const kind = get(event, "kind", "string");
  const effects = get(event, "effects", "array");
  const before = past.at(kind === "takeback" ? numberTo(past.length - 1, event as Json, "to") : -1) as Draws;
  const draws = before.copy();
  if (kind === "draw") {
    const draw = get(event, "draw", "object");
    if (!isDeepStrictEqual(draw, draws.draw(source ?? new RecordedDraw(draw), draw, effects))) {
      throw new Error(source === null ? "impossible draw" : "the seed gives another draw");
    }
  }
  for (const effect of effects) draws.see(effect as Json);
  return draws;
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Return the number of checked draws. Throws BadEvent for the first wrong event, Unchecked if nothing can be checked. */
export function verify(record: unknown): number {
  try {
    return checkedDraws(record);
  } catch (error) {
    throw error instanceof BadEvent ? error : new Unchecked(reason(error));
  }
}

function checkedDraws(data: unknown): number {
  const record = get({ record: data }, "record", "object");
  const ruleset = get(record, "ruleset", "string");
  const events = get(record, "events", "array");
  const seed = seedOf(record);
  const seedFrom = get({ seed_from: 0, ...record }, "seed_from", "integer");
  const past = [drawsOf(ruleset, record)];
  let checked = 0;
  for (const [index, event] of events.entries()) {
    const number = index + 1;
    const source = number > seedFrom ? new Generator(seed, number) : null;
    try {
      past.push(drawsAfter(event, past, source));
    } catch (error) {
      throw new BadEvent(number, reason(error));
    }
    if (source !== null && (event as Json)["kind"] === "draw") checked += 1;
  }
  return checked;
}

/** Return the record in a file. Throws if the file contains none. */
function read(path: string): Json {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    const record = JSON.parse(text) as Json;
    get(record, "id", "string");
    return record;
  } catch (error) {
    throw new Error(`${path} cannot be read as a record in JSON: ${reason(error)}`);
  }
}

/** Print a line. Parts of the record may contain line breaks. */
function printLine(text: string): void {
  console.log(text.replace(/\s+/g, " "));
}

function main(path: string | undefined): number {
  if (path === undefined) {
    console.log("node verify.ts record.json");
    return 2;
  }
  try {
    const record = read(path);
    printLine(`${record["id"]}: ${verify(record)} draws follow from the committed seed`);
    return 0;
  } catch (error) {
    printLine(reason(error));
    return error instanceof BadEvent ? 1 : 2;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = main(process.argv[2]);
}
