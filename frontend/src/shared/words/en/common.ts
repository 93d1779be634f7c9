/** Texts of the table and of the admin page. */
export const commonEn = {
  cancel: "Cancel",
  failed: "Something went wrong. Please try again.",
  theme: { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" },
  language: "Deutsch",
  copied: "Copied.",
  offline: "You're offline. Nothing is sent until you reconnect.",
  notSent: "You're offline, so this was not sent.",
  maintenance: "Maintenance: nothing new can begin. Running games go on.",
  until: (end: string) => `Until ${end}.`,
  close: "Close",
};
