/** The lazy chunk with the pages of people and competitions. */
export { Account } from "./people/account";
export { CompetitionsPage } from "./competitions/list";
export { CompetitionPage } from "./competitions/page";
export { Leaders } from "./people/leaders";
export { Lobby } from "./people/lobby";
export { ProfilePage } from "./people/profile";
