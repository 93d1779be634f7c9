export const title = { en: "Queen's Garden", de: "Der Garten der Königin" };
