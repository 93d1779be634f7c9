/**
 * Write src/schema.d.ts, the types of the document, with a union for each of its unions.
 *
 * For other languages, the document describes a union as one object and an enum as a string (`x-oneOf`,
 * `x-discriminator`, `x-extensible-enum`). TypeScript checks nothing when a program runs, so its types can be exact.
 */
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";

type Node = Record<string, unknown>;

function exact(_name: string, node: unknown): unknown {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
  const { "x-oneOf": oneOf, "x-discriminator": discriminator, "x-extensible-enum": known, ...rest } = node as Node;
  if (oneOf === undefined) return known === undefined ? node : { ...rest, enum: known };
  return { description: rest["description"], oneOf, ...(discriminator === undefined ? {} : { discriminator }) };
}

const file = new URL("../../openapi.json", import.meta.url);
const document = JSON.parse(readFileSync(file, "utf-8"), (name, node) => exact(name, node));
writeFileSync(new URL("src/schema.d.ts", import.meta.url), COMMENT_HEADER + astToString(await openapiTS(document)));
