/** English texts for links, names, AI levels and lost connections. */
import { plurals } from "../plural";

const { count } = plurals("en");

export const sharingEn = {
  // links
  copy: "Copy link",
  share: "Share",
  qr: "Show QR code",
  qrHide: "Hide QR code",
  qrOf: (what: string) => `QR code: ${what}`,
  qrNote: "Scan it with the camera of another device.",
  invite: "Send this link to the other players. The game starts when all seats are taken.",
  inviteMany: (seats: number) =>
    `${count(seats, "seat is", "seats are")} still open. Send this link to the people you want to play with:`,
  inviteLink: "Invitation",
  watchLink: "Link to watch",
  inviteText: (game: string) => `Play ${game} with me`,
  invitedBy: (name: string, game: string) => `${name} invites you to play ${game}.`,
  watchText: (game: string) => `Watch a game of ${game}`,
  // names
  youAre: "Playing as",
  changeName: "Change name",
  nameTooLong: (most: number) => `Names have at most ${most} characters.`,
  // levels
  levels: {
    random: ["Random", "Plays any legal move. Good for trying things out."],
    novice: ["Novice", "A child's first opponent. Sees what is obvious and misjudges most of the rest."],
    beginner: ["Beginner", "Knows good moves but often picks the second best."],
    learner: ["Learner", "Understands what scores but misjudges what it costs."],
    casual: ["Casual", "Plays solidly on its own board, with a slip now and then."],
    club: ["Club player", "Misses little but does not plan ahead. A match for most people."],
    greedy: ["Greedy", "Takes what looks best right now and is rarely wrong."],
    planner: ["Planner", "Looks a few moves ahead. A serious opponent."],
    strategist: ["Strategist", "Thinks the whole round through and gets in your way."],
    veteran: ["Veteran", "Very experienced and hard to surprise."],
    expert: ["Expert", "Misses almost nothing. If you win, you played well."],
    "candidate-master": ["Candidate master", "Sees nearly everything. You also need some luck to win."],
    master: ["Master", "Thinks for half a second per move. Our strongest AI."],
  } as Record<string, readonly [name: string, expect: string]>,
  // characters of the levels
  characters: {
    random: "Cuckoo",
    novice: "Duckling",
    beginner: "Sparrow",
    learner: "Finch",
    casual: "Lark",
    club: "Blackbird",
    greedy: "Magpie",
    planner: "Stork",
    strategist: "Raven",
    veteran: "Heron",
    expert: "Falcon",
    "candidate-master": "Eagle",
    master: "Owl",
  } as Record<string, string>,
  opponent: "Opponent",
  // no connection
  offlineGame: "The game appears here as soon as you are online again.",
};
