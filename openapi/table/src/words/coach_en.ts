/** English: the lessons of a first game. */
const tiles = (count: number) => (count === 1 ? "1 tile" : `${count} tiles`);
const points = (count: number) => (count === 1 ? "1 point" : `${count} points`);
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const coachEn = {
  learn: "Learn by playing",
  developers: "For developers",
  lesson: "Lesson",
  move: (move: number, most: number) => `move ${move} of ${most}`,
  end: "End",
  endLesson: "End the lesson",
  again: "Go on with the lesson",
  playOn: "Play on",
  enough: "You know enough: play on.",
  right: "Just so.",
  other: "That was another way, which is fine.",
  meant: "meant by the coach",
  azul: {
    fill: (what: string, count: number, line: string) =>
      `Take ${what} to ${line}: ${count === 1 ? "its tile fills" : `the ${count} tiles fill`} it exactly. You always take all tiles of a colour; the factory's others go to the centre.`,
    centre: (what: string, line: string, costs: number | null) =>
      costs === null
        ? `You may take from the centre, too: ${what} to ${line}. The start token is gone, so this costs nothing.`
        : `Take ${what} to ${line}. The first to take there gets the start token: they begin the next round, and it costs ${points(costs)} on the floor line.`,
    floor: (what: string, line: string, count: number, costs: number) =>
      `${upper(what)} to ${line}: ${tiles(count)} would fall and cost ${points(costs)}.`,
    instead: (what: string, line: string) => `Take ${what} to ${line} instead: nothing falls.`,
    begun: (what: string, line: string, before: number, capacity: number, left: number) =>
      `Your ${line} holds ${before} of ${capacity}: add ${what}${left ? "" : ", and it is full"}. Only full lines bring a tile to the wall; the others wait.`,
    neighbours: (what: string, line: string, worth: number) =>
      `Take ${what} to ${line}: its place on the wall touches a tile that lies there. As the wall is now, that would score ${points(worth)} instead of 1.`,
    free: (left: number) => `Go on as you like: ${tiles(left)} still to be taken. When all are, full lines score.`,
    placed: (colour: string, line: string, count: number, capacity: number) =>
      count === capacity ? `${upper(line)} is full of ${colour}.` : `${upper(line)} holds ${count} of ${capacity}.`,
    fell: (count: number) => `${upper(tiles(count))} fell to the floor, which costs points when the round ends.`,
    tokenMine: "You have the start token and begin the next round.",
    token: (name: string) => `${name} took the start token and begins the next round.`,
    scored: (round: number, placed: readonly number[], penalty: number) =>
      [
        placed.length
          ? `Round ${round} is over: your full lines went to the wall for ${placed.join(" + ")} ${placed.length === 1 && placed[0] === 1 ? "point" : "points"}.`
          : `Round ${round} is over: none of your lines was full.`,
        penalty ? `What lay on your floor line cost ${points(penalty)}.` : "",
      ]
        .filter(Boolean)
        .join(" "),
  },
  pavilion: {
    wild: (what: string, count: number, wild: string) =>
      `Take ${what}: ${tiles(count)}, and 1 ${wild} comes along. ${upper(wild)} is wild in this round: it pays for any colour.`,
    centre: (what: string, count: number, costs: number | null) =>
      costs === null
        ? `You may take from the centre, too: ${what}, ${tiles(count)}. The start token is gone, so this costs nothing.`
        : `Take ${what}: ${tiles(count)}. The first to take there gets the start token, places first, begins the next round, and loses a point a tile: ${points(costs)}.`,
    gather: (left: number) =>
      `Gather what goes together: a space with a 4 costs 4 tiles of its colour. ${upper(tiles(left))} still to be taken.`,
    place: (where: string, number: number, colour: string) =>
      `Now tiles are placed: choose the ${where}. You pay ${tiles(number)}, ${colour} or wild; one is laid, and it scores.`,
    beside: (where: string, run: number) =>
      `Choose the ${where}: it touches tiles of your star. A tile scores a point for each of its unbroken run: ${run}.`,
    placeOn: (held: number, most: number) =>
      `Place more, or pass: you hold ${held}, and keep up to ${most} when you pass. Every other costs a point.`,
    pass: (most: number, held: number, lost: number) =>
      `Pass: up to ${most} tiles are kept for the next round, every other costs a point. You hold ${held}, which costs ${lost ? points(lost) : "nothing"}.`,
    newWild: (wild: string, what: string) => `In every round another colour is wild: now ${wild}. Take ${what}.`,
    bonus: "You surrounded a pillar, statue or window: choose a bonus tile of the supply.",
    taken: (count: number, wilds: number) => `You took ${tiles(count)}${wilds ? ", a wild one among them" : ""}.`,
    placed: (scored: number) => `That scored ${points(scored)}.`,
    passed: (kept: number, rest: number, costs: number) =>
      `You kept ${kept}${rest ? ` and discarded ${rest} for ${points(costs)}` : ""}.`,
    surrounded: (count: number) =>
      `You surrounded a pillar, statue or window: that brings ${tiles(count)} of the supply.`,
    tokenMine: (costs: number) =>
      `The start token cost you ${points(costs)}; you place first and begin the next round.`,
    token: (name: string, costs: number) => `${name} took the start token for ${points(costs)} and places first.`,
    playBegan: (name: string | null) => `All tiles are taken: ${name ?? "you"} ${name ? "places" : "place"} first.`,
    roundEnded: (round: number, wild: string) => `Round ${round} is over: ${wild} is wild now.`,
  },
  garden: {
    take: (what: string, count: number) =>
      `Take all ${what}: ${count === 1 ? "1 piece" : `${count} pieces`}. You name a colour or a pattern, and get one of each different hexagon that shows it.`,
    place: (what: string, where: string, more: number) =>
      `Place the ${what} ${where}. ${
        more
          ? `Its pattern costs ${more + 1}: itself and ${more} more that share its colour or its pattern, or jokers.`
          : "Its pattern costs 1, which is the tile itself."
      }`,
    beside: (what: string, where: string, shared: string, other: string) =>
      `Place the ${what} ${where}: beside the ${other}, with which it shares ${shared}. Neighbours must have one that matches, and at the end connected groups of three score.`,
    placeExpansion: (what: string, more: number) =>
      `Place the expansion with the ${what}, which costs ${more ? `${more} more` : "nothing more"}. Your garden gains six spaces, and its hexagon.`,
    takeExpansion: (what: string) =>
      `An expansion lies face up: take all ${what}, it is among them. Placed in your garden, it gives six spaces more.`,
    buy: (area: string, score: number) =>
      `The fountain has six spaces only: buy an expansion for the ${area}. It costs 6 of your ${score} points, and gives seven spaces.`,
    wheel: (shown: readonly string[], what: string) =>
      `The wheel shows ${shown.join(", ")} in this round: such hexagons in your garden score when it ends. The ${what} is one: place it.`,
    pass: (first: boolean) =>
      `Pass when you have nothing left to do; what you hold stays for the next round. ${
        first
          ? "The first to pass loses a point and begins the next round."
          : "When all have passed, the wheel is scored."
      }`,
    free: (spaces: number) =>
      `Go on as you like: take pieces, which pay for others, or place one. Your storage has room for ${tiles(spaces)}.`,
    took: (count: number) => `You took ${count === 1 ? "1 piece" : `${count} pieces`}.`,
    paid: (what: string, others: number, jokers: number) =>
      `The ${what} lies in your garden, for ${
        [
          others ? (others === 1 ? "1 piece" : `${others} pieces`) : "",
          jokers ? (jokers === 1 ? "1 joker" : `${jokers} jokers`) : "",
        ]
          .filter(Boolean)
          .join(" and ") || "nothing more"
      }.`,
    expanded: (more: number) => `Your garden has an expansion more, for ${more ? `${more} more` : "nothing more"}.`,
    bought: (costs: number) => `You bought an expansion for ${points(costs)}.`,
    jokers: (count: number) => `What you surrounded brings ${count === 1 ? "1 joker" : `${count} jokers`}.`,
    passed: (costs: number) => `You passed${costs ? `; what you discarded cost ${points(costs)}` : ""}.`,
    markerMine: (costs: number) => `Being the first cost ${points(costs)}, and you begin the next round.`,
    marker: (name: string) => `${name} passed first and begins the next round.`,
    turned: (count: number) =>
      count === 1
        ? "An expansion has no tiles left and turned face up."
        : `${count} expansions have no tiles left and turned face up.`,
    scored: (round: number, counted: readonly string[], score: number) =>
      `Round ${round} is over: the wheel brought ${points(score)}${counted.length ? `, for ${counted.join(", ")}` : ""}.`,
  },
};
