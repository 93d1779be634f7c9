export const title = { en: "Azul", de: "Azul" };
