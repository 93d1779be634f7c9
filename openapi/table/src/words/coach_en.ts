/** English: the lessons of a first game. */
const some = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
const tiles = (count: number) => some(count, "tile");
const points = (count: number) => some(count, "point");
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const coachEn = {
  learn: "Learn by playing",
  developers: "For developers",
  lesson: "Lesson",
  move: (move: number, most: number) => `move ${move} of ${most}`,
  end: "End the lesson",
  again: "Go on with the lesson",
  playOn: "Play on",
  enough: "You know enough: play on.",
  right: "Just so.",
  other: "You did something else, which is fine.",
  meant: "meant by the coach",
  azul: {
    fill: (what: string, count: number, line: string) =>
      `Take ${what} to ${line}: ${tiles(count)}, which is just what it holds. You get all tiles of the colour; the factory's others go to the centre.`,
    centre: (what: string, line: string, costs: number | null) =>
      `Take ${what} to ${line}. ${
        costs === null
          ? "The start token is gone, so the centre costs nothing."
          : `The first to take there gets the start token: they begin the next round, and it costs ${points(costs)} on the floor line.`
      }`,
    floor: (what: string, line: string, count: number, costs: number) =>
      `${upper(what)} to ${line}: ${tiles(count)} would fall to the floor and cost ${points(costs)}.`,
    instead: (what: string, line: string) => `Take ${what} to ${line} instead: nothing falls.`,
    begun: (what: string, line: string, before: number, capacity: number, left: number) =>
      `Your ${line} holds ${before} of ${capacity}: add ${what}${left ? "" : ", and it is full"}. Only full lines bring a tile to the wall; the others wait.`,
    neighbours: (what: string, line: string, worth: number) =>
      `Take ${what} to ${line}: its place on the wall touches a tile. As the wall is now, that would score ${points(worth)} instead of 1.`,
    free: (left: number) => `Go on as you like: ${tiles(left)} still to be taken. When all are, full lines score.`,
    placed: (line: string, count: number, capacity: number) => `${upper(line)} holds ${count} of ${capacity}.`,
    fell: (count: number) => `${tiles(count)} fell to the floor, which costs points when the round ends.`,
    token: (name: string | null) => `${name ?? "You"} took the start token, to begin the next round.`,
    scored: (round: number, placed: readonly number[], penalty: number) =>
      `Round ${round} is over: ${placed.length ? `your full lines scored ${placed.join(" + ")} on the wall` : "you had no full line"}${penalty ? `, and your floor line cost ${points(penalty)}` : ""}.`,
  },
  pavilion: {
    wild: (what: string, count: number, wild: string) =>
      `Take ${what}: ${tiles(count)}, and 1 ${wild} comes along. ${upper(wild)} is wild in this round: it pays for any colour.`,
    centre: (what: string, count: number, costs: number | null) =>
      `Take ${what}: ${tiles(count)}. ${
        costs === null
          ? "The start token is gone, so the centre costs nothing."
          : `The first to take there gets the start token, places first, and loses a point a tile: ${points(costs)}.`
      }`,
    gather: (left: number) => `Gather what goes together: a space with a 4 costs 4 tiles. ${left} still to be taken.`,
    place: (where: string, number: number, colour: string) =>
      `Now tiles are placed: choose the ${where}. You pay ${tiles(number)}, ${colour} or wild; one is laid.`,
    beside: (where: string, run: number) =>
      `Choose the ${where}: it touches tiles of its star. Each tile of the unbroken run scores: ${points(run)}.`,
    placeOn: (held: number, most: number) =>
      `Place more, or pass: you hold ${held}, and may keep ${most}. Every other costs a point.`,
    pass: (most: number, held: number, lost: number) =>
      `Pass: up to ${most} tiles are kept for the next round, every other costs a point. You hold ${held}: that costs ${points(lost)}.`,
    taken: (count: number, wilds: number) => `You took ${tiles(count)}${wilds ? `, ${wilds} wild` : ""}.`,
    placed: (scored: number) => `That scored ${points(scored)}.`,
    passed: (kept: number, rest: number, costs: number) =>
      `You kept ${kept}${rest ? ` and discarded ${rest}, for ${points(costs)}` : ""}.`,
    surrounded: (count: number) => `What you surrounded brings ${tiles(count)}.`,
    token: (name: string | null, costs: number) => `${name ?? "You"} took the start token for ${points(costs)}.`,
    roundEnded: (round: number, wild: string) => `Round ${round} is over: ${wild} is wild now.`,
  },
  garden: {
    take: (what: string, count: number) =>
      `Take all ${what}: ${some(count, "piece")}. You name a colour or a pattern, and get one of each different hexagon that shows it.`,
    place: (what: string, where: string, more: number) =>
      `Place the ${what} ${where}. Its pattern costs ${more + 1}: itself${more ? ` and ${more} more that share its colour or its pattern, or jokers` : ""}.`,
    beside: (what: string, where: string, shared: string, other: string) =>
      `Place the ${what} ${where}: the ${other} beside it is ${shared}, too. One neighbour must match, and groups of three score at the end.`,
    takeExpansion: (what: string) =>
      `An expansion lies face up: take all ${what}. Placed in your garden, it gives six spaces more.`,
    buy: (area: string, score: number) =>
      `Your garden needs space: buy an expansion for the ${area}. It costs 6 of your ${score} points, and gives seven spaces.`,
    pass: (first: boolean, shown: readonly string[]) =>
      `Pass, and keep what you hold${first ? "; the first to pass loses a point, and begins the next round" : ""}. When all have, the wheel scores what your garden shows of ${shown.join(", ")}.`,
    free: (spaces: number) =>
      `Go on as you like: take pieces to pay with, or place one. You have room for ${tiles(spaces)}.`,
    took: (count: number) => `You took ${some(count, "piece")}.`,
    paid: (what: string, others: number, jokers: number) =>
      `You placed the ${what}${others ? `, for ${some(others, "piece")}` : ""}${jokers ? `, for ${some(jokers, "joker")}` : ""}.`,
    bought: (costs: number) => `You bought an expansion for ${points(costs)}.`,
    jokers: (count: number) => `What you surrounded brings ${some(count, "joker")}.`,
    marker: (name: string | null, costs: number) =>
      `${name ?? "You"} passed first, for ${points(costs)}, to begin the next round.`,
    scored: (counted: readonly string[], score: number) =>
      `The round is over: your garden scored ${points(score)}${counted.length ? ` (${counted.join(", ")})` : ""}.`,
  },
};
