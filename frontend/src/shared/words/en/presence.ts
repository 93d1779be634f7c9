/** English texts about who is watching a game. */
import { plurals } from "../plural";

const { count } = plurals("en");

export const presenceEn = {
  here: "online",
  watching: (viewers: number) => `${viewers} watching`,
  guests: (guests: number) => count(guests, "guest", "guests"),
  unseen: "Watch anonymously",
  unseenNote: "Others see that someone is watching, but not who.",
};
