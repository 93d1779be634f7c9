/** The pages of people and competitions, which are loaded when the first of them is looked at. */
export { Account } from "./people/account";
export { CompetitionsPage } from "./competitions/list";
export { CompetitionPage } from "./competitions/page";
export { Leaders } from "./people/leaders";
export { Lobby } from "./people/lobby";
export { ProfilePage } from "./people/profile";
