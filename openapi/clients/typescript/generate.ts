/**
 * Write the types of a document, with a union for each of its unions.
 *
 *   node generate.ts                    src/schema.d.ts, from openapi.json
 *   node generate.ts DOCUMENT TARGET    other files, from the current folder
 *
 * For other languages, the document describes a union as one object and an enum as a string (`x-oneOf`,
 * `x-discriminator`, `x-extensible-enum`). TypeScript checks nothing when a program runs, so its types can be exact.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";

function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

type Node = Record<string, unknown>;

function exact(_name: string, node: unknown): unknown {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
  const { "x-oneOf": oneOf, "x-discriminator": discriminator, "x-extensible-enum": known, ...rest } = node as Node;
  if (oneOf === undefined) return known === undefined ? node : { ...rest, enum: known };
  return { description: rest["description"], oneOf, ...(discriminator === undefined ? {} : { discriminator }) };
}

const [file, target] =
  process.argv.length > 2 ? process.argv.slice(2) : ["../../openapi.json", "src/schema.d.ts"].map(beside);
const document = JSON.parse(readFileSync(file, "utf-8"), (name, node) => exact(name, node));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, COMMENT_HEADER + astToString(await openapiTS(document)));
