/** English for links that one sends, for one's name, for levels, and for a device without a connection. */
export const sharingEn = {
  // links
  copy: "Copy the link",
  share: "Send …",
  qr: "Show as a QR code",
  qrHide: "Hide the QR code",
  qrOf: (what: string) => `QR code: ${what}`,
  qrNote: "Point the camera of another device at it.",
  invite: "Send this link to whoever is to play. The game begins when all seats are taken.",
  inviteMany: (seats: number) =>
    seats === 1
      ? "One seat is still open. Send this link to whoever is to take it:"
      : `${seats} seats are still open. Send this link to those who are to take them:`,
  inviteLink: "Invitation",
  watchLink: "Link to watch",
  inviteText: (game: string) => `Come and play ${game} with me`,
  watchText: (game: string) => `Watch a game of ${game}`,
  // names
  youAre: "You play as",
  changeName: "Change your name",
  // levels
  levels: {
    random: ["Random", "Plays anything at all. To try things out."],
    novice: ["Novice", "A child’s first opponent: sees what lies before it, and misjudges most of it."],
    beginner: ["Beginner", "Knows what is good, and often takes the second best for it."],
    learner: ["Learner", "Has understood what scores, and misjudges what it costs."],
    casual: ["Casual", "Plays soundly for its own board, with an oversight now and then."],
    club: ["Club player", "Overlooks little, and thinks no further: a match for most people."],
    greedy: ["Greedy", "Takes what looks best at a glance, and is seldom wrong."],
    planner: ["Planner", "Looks a few decisions ahead: a serious opponent."],
    strategist: ["Strategist", "Thinks the round through, and spoils what others plan."],
    veteran: ["Veteran", "Has seen most of it before, and forgets little."],
    expert: ["Expert", "Misses little; who wins has played well."],
    "candidate-master": ["Candidate master", "Sees nearly all; to win takes luck, too."],
    master: ["Master", "Thinks for half a second: as strong as we can."],
  } as Record<string, readonly [name: string, expect: string]>,
  opponent: "Opponent",
  // no connection
  offline: "You are offline. Nothing is sent now; the page goes on by itself as soon as you are back.",
  notSent: "You are offline: this was not sent.",
};
