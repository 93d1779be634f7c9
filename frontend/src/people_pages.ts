/** The pages of people and competitions, which are loaded when the first of them is looked at. */
export { Account } from "./account";
export { CompetitionsPage } from "./competitions/list";
export { CompetitionPage } from "./competitions/page";
export { Leaders } from "./leaders";
export { Lobby } from "./lobby";
export { ProfilePage } from "./profile";
