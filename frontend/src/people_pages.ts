/** The lazy chunk with the pages of people and competitions, and with parts that few people see. */
export { Account } from "./people/account";
export { CompetitionsPage } from "./competitions/list";
export { CompetitionPage } from "./competitions/page";
export { Leaders } from "./people/leaders";
export { Lobby } from "./people/lobby";
export { ProfilePage } from "./people/profile";
export { BanPage } from "./moderation/ban_page";
export { ReportDialog } from "./moderation/report_dialog";
export { WarningDialog } from "./moderation/warning_dialog";
export { AnimationPicture } from "./review/animation_picture";
