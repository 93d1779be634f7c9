/**
 * Check every draw of an exported game: `node verify.ts record.json`. It needs only Node 22.18 or newer.
 *
 * This is verify.py in TypeScript. The record is the response of `GET /v1/games/{id}/export` for a finished game, or a
 * game of a tournament. Exit status: 0 all draws are correct; 1 an event is wrong, its number is printed; 2 nothing can
 * be checked.
 */

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

type Tiles = Map<string, number>;
type Hexagon = { colour: string; pattern: string };
type Tile = string | Hexagon;
type Counts = Record<string, number | Record<string, number>>;
type Draw = { type: string; seat?: number; tiles?: Tile[]; faces?: Tile[] };
type Effect = { type: string } & Record<string, unknown>;
type GameEvent = { revision: number; kind: string; to?: number; draw?: Draw | null; effects: Effect[] };
type Beside = { tiles: Hexagon[] };
type Position = {
  bag: Counts;
  box_lid?: Counts;
  tower?: Counts;
  supply?: Record<string, number>;
  seats: { floor_line?: string[] }[];
  unseen?: Hexagon[];
  display?: { top: Hexagon[]; beside: Beside[] };
};
export type GameRecord = {
  id: string;
  ruleset: string;
  seats: unknown[];
  seed: string | null;
  seed_commitment: string;
  seed_from?: number;
  position?: Position | null;
  events: GameEvent[];
};

const MASK = (1n << 64n) - 1n;
const LOW = (1n << 32n) - 1n;

/** An event that does not follow from the seed. Number 0 is the seed itself. */
export class BadEvent extends Error {
  readonly number: number;
  constructor(number: number, why: string) {
    super(`event ${number}: ${why}`);
    this.number = number;
  }
}

/** The record cannot be checked. */
export class Unchecked extends Error {}

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
  private readonly draw: Draw;
  private readonly tiles: Tile[];

  constructor(draw: Draw) {
    this.draw = draw;
    this.tiles = [...(draw.tiles ?? draw.faces ?? [])];
  }

  numberBelow(): number {
    return this.draw.seat ?? 0;
  }

  tile(bag: Tiles): string {
    const tile = this.tiles.shift();
    const name = tile === undefined ? "" : nameOf(tile);
    return bag.get(name) ? name : ([...bag.keys()][0] as string);
  }
}

const sum = (tiles: Iterable<[string, number]>): number => [...tiles].reduce((all, [, count]) => all + count, 0);
/** Return the type of a draw or an effect without the id of the ruleset. */
const kindOf = ({ type }: { type: string }): string => type.slice(type.lastIndexOf(".") + 1);
const nameOf = (tile: Tile): string => (typeof tile === "string" ? tile : `${tile.colour} ${tile.pattern}`);

function tileOf(name: string): Tile {
  const [colour, pattern] = name.split(" ") as [string, string | undefined];
  return pattern === undefined ? colour : { colour, pattern };
}

function add(tiles: Tiles, name: string, count: number): void {
  tiles.set(name, (tiles.get(name) ?? 0) + count);
}

/** The state that the draws of a game depend on: the bag, and the spare tiles that return to it. */
abstract class Draws {
  readonly seats: number;
  readonly kinds: string[];
  bag: Tiles;
  spare: Tiles; // box lid, or tower

  constructor(seats: number, kinds: string[], copies: number) {
    this.seats = seats;
    this.kinds = kinds;
    this.bag = this.filled(copies);
    this.spare = this.filled(0);
  }

  /** Return the draw of this type, and remove its tiles from the bag. */
  protected abstract drawKind(kind: string, source: Source, effects: Effect[]): Partial<Draw>;

  /** Apply an effect to the state. */
  abstract see(effect: Effect): void;

  /** Use the position that the game starts from. */
  beginAt(position: Position): void {
    this.bag = this.bagOf(position.bag);
    this.spare = this.bagOf(position.box_lid ?? position.tower ?? {});
  }

  copy(): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), structuredClone({ ...this }));
  }

  /** Return the draw of this event, and remove its tiles from the bag. */
  draw(source: Source, recorded: Draw, effects: Effect[]): Draw {
    const kind = kindOf(recorded);
    const drawn =
      kind === "first_seat" ? { seat: source.numberBelow(this.seats) } : this.drawKind(kind, source, effects);
    return { type: recorded.type, ...drawn };
  }

  protected filled(count: number): Tiles {
    return new Map(this.kinds.map((name) => [name, count]));
  }

  private bagOf(counts: Counts): Tiles {
    const tiles = this.filled(0);
    for (const [colour, count] of Object.entries(counts)) {
      if (typeof count === "number") tiles.set(colour, count);
      else for (const [pattern, some] of Object.entries(count)) tiles.set(`${colour} ${pattern}`, some);
    }
    return tiles;
  }

  /** Draw up to `most` tiles, one by one. */
  protected take(source: Source, bag: Tiles, most: number): Tile[] {
    const tiles: Tile[] = [];
    while (tiles.length < most && sum(bag) > 0) {
      const name = source.tile(bag);
      add(bag, name, -1);
      tiles.push(tileOf(name));
    }
    return tiles;
  }

  /** Draw tiles from the bag. When it is empty, the spare tiles return to it. */
  protected deal(source: Source, wanted: number): Tile[] {
    const tiles = this.take(source, this.bag, wanted);
    if (tiles.length === wanted) return tiles;
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
const ones = (tiles: Tile[]): [string, number][] => tiles.map((tile) => [nameOf(tile), 1]);

class Azul extends Draws {
  constructor(seats: number) {
    super(seats, ["blue", "yellow", "red", "black", "white"], 20);
  }

  override beginAt(position: Position): void {
    super.beginAt(position);
    // tiles on the floor reach the lid before the next refill
    const fallen = position.seats.flatMap((seat) => seat.floor_line ?? []);
    this.putAside(ones(fallen.filter((tile) => this.kinds.includes(tile))));
  }

  protected override drawKind(_kind: string, source: Source): Partial<Draw> {
    return { tiles: this.deal(source, 4 * (2 * this.seats + 1)) };
  }

  override see(effect: Effect): void {
    const kind = kindOf(effect);
    const colour = effect["colour"] as string;
    if (kind === "tiles_fallen" || kind === "line_fallen") add(this.spare, colour, effect["count"] as number);
    else if (kind === "tile_placed") add(this.spare, colour, effect["line"] as number); // one tile stays on the wall
  }
}

class SummerPavilion extends Draws {
  supply = 0; // number of tiles

  constructor(seats: number) {
    super(seats, ["purple", "green", "orange", "yellow", "blue", "red"], 22);
  }

  override beginAt(position: Position): void {
    super.beginAt(position);
    this.supply = sum(Object.entries(position.supply ?? {}));
  }

  protected override drawKind(kind: string, source: Source): Partial<Draw> {
    const tiles = this.deal(source, 10 - this.supply + (kind === "deal" ? 4 * (2 * this.seats + 1) : 0));
    this.supply = Math.min(10, this.supply + tiles.length);
    return { tiles };
  }

  override see(effect: Effect): void {
    const kind = kindOf(effect);
    if (kind === "tile_placed") this.putAside(Object.entries(effect["spent"] as Record<string, number>));
    else if (kind === "passed") this.putAside(Object.entries(effect["discarded"] as Record<string, number>));
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

  override beginAt(position: Position): void {
    super.beginAt(position);
    const { top, beside } = position.display ?? { top: [], beside: [] };
    this.display = this.filled(0);
    for (const tile of [...top, ...beside.flatMap(({ tiles }) => tiles)]) add(this.display, nameOf(tile), 1);
    this.unseen = this.filled(0);
    for (const face of position.unseen ?? []) add(this.unseen, nameOf(face), 1);
  }

  protected override drawKind(kind: string, source: Source, effects: Effect[]): Partial<Draw> {
    if (kind === "turn") return { faces: this.take(source, this.unseen, this.turning(effects)) };
    if (sum(this.bag) < 4) this.refill();
    const tiles = this.take(source, this.bag, 4);
    for (const tile of tiles) add(this.display, nameOf(tile), 1);
    return { tiles };
  }

  /** Return how many faces become visible for the first time. */
  private turning(effects: Effect[]): number {
    const shown = effects.flatMap((effect) => (effect["expansions"] ?? []) as { hexagon: Hexagon }[]);
    return shown.reduce((count, expansion) => count + (this.unseen.get(nameOf(expansion.hexagon)) ?? 0), 0);
  }

  override see(effect: Effect): void {
    const kind = kindOf(effect);
    if (kind === "tile_placed" || kind === "expansion_placed") {
      this.putAside(ones((effect["payment"] as { tiles: Hexagon[] }).tiles));
    } else if (kind === "passed") {
      this.putAside(ones((effect["discarded"] as { tiles: Hexagon[] }).tiles));
    } else if (kind === "round_ended") {
      this.putAside(this.display);
      this.display = this.filled(0);
    } else if (kind === "pieces_acquired") {
      for (const piece of effect["pieces"] as { kind: string; hexagon: Hexagon }[]) {
        if (piece.kind === "tile") add(this.display, nameOf(piece.hexagon), -1);
      }
    }
  }
}

/** The draws by ruleset. */
const DRAWS: Record<string, new (seats: number) => Draws> = {
  azul: Azul,
  "summer-pavilion": SummerPavilion,
  "queens-garden": QueensGarden,
};

/** Return the draws before the first event of a game. */
function drawsOf(record: GameRecord): Draws {
  const known = DRAWS[record.ruleset];
  if (known === undefined) throw new Unchecked(`the draws of ${record.ruleset} are unknown`);
  const draws = new known(record.seats.length);
  if (record.position) draws.beginAt(record.position);
  return draws;
}

function same(one: Draw, other: Draw): boolean {
  const flat = (draw: Draw): string =>
    JSON.stringify([draw.type, draw.seat ?? null, (draw.tiles ?? draw.faces ?? []).map(nameOf)]);
  return flat(one) === flat(other);
}

/** Return the number of checked draws. Throws BadEvent for the first wrong event, Unchecked without a seed. */
export function verify(record: GameRecord): number {
  if (!record.seed) throw new Unchecked("the record has no seed: the game is not over");
  const seed = Buffer.from(record.seed, "hex");
  if (createHash("sha256").update(seed).digest("hex") !== record.seed_commitment) {
    throw new BadEvent(0, "the seed does not match seed_commitment");
  }
  let draws = drawsOf(record);
  let checked = 0;
  const past = [draws];
  for (const [index, event] of record.events.entries()) {
    const number = index + 1;
    if (event.revision !== number) throw new BadEvent(number, "an event is missing or out of order");
    const before = event.kind === "takeback" ? past[event.to ?? -1] : draws;
    if (before === undefined) throw new BadEvent(number, "the takeback refers to an unknown revision");
    draws = before.copy();
    if (event.kind === "draw") {
      const draw = event.draw as Draw;
      const fromSeed = number > (record.seed_from ?? 0);
      const source = fromSeed ? new Generator(seed, number) : new RecordedDraw(draw);
      if (!same(draws.draw(source, draw, event.effects), draw)) {
        throw new BadEvent(number, fromSeed ? "the seed gives another draw" : "impossible draw");
      }
      checked += fromSeed ? 1 : 0;
    }
    for (const effect of event.effects) draws.see(effect);
    past.push(draws);
  }
  return checked;
}

function main(path: string | undefined): number {
  if (path === undefined) {
    console.log("node verify.ts record.json");
    return 2;
  }
  const record = JSON.parse(readFileSync(path, "utf8")) as GameRecord;
  try {
    console.log(`${record.id}: ${verify(record)} draws follow from the committed seed`);
    return 0;
  } catch (error) {
    if (!(error instanceof BadEvent || error instanceof Unchecked)) throw error;
    console.log(error.message);
    return error instanceof BadEvent ? 1 : 2;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = main(process.argv[2]);
}
