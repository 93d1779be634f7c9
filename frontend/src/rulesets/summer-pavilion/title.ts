export const title = { en: "Summer Pavilion", de: "Der Sommerpavillon" };
