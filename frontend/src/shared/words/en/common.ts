/** Texts of the table and of the admin page. */
export const commonEn = {
  cancel: "Cancel",
  done: "Done",
  more: "Show more",
  menu: "Menu",
  nameless: "Anonymous",
  deletedPlayer: "Deleted player",
  failed: "Something went wrong. Please try again.",
  theme: { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" },
  language: "Deutsch",
  copied: "Copied.",
  offline: "You're offline. Nothing is sent until you reconnect.",
  notSent: "You're offline, so this was not sent.",
  ratingSeats: { two: "2 players", many: "3–4 players" },
  reportedTypes: { player: "Player", player_name: "Name", game: "Game", message: "Message" } as Record<string, string>,
  reportCategories: {
    abuse: "Insults or threats",
    cheating: "Cheating",
    player_name: "Unsuitable name",
    spam: "Advertising or spam",
    other: "Something else",
  } as Record<string, string>,
};
