// Decode the value of each line as the model of its schema, and print the number of lines.
import { readFileSync } from "node:fs";

const [models, answers] = process.argv.slice(2);
const client = await import(models);
const lines = readFileSync(answers, "utf-8").trim().split("\n");
for (const line of lines) {
  const { schema, value } = JSON.parse(line);
  client[`${schema}FromJSON`](value);
}
console.log(lines.length);
