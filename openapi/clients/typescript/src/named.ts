/** Names of the document's unions, for examples that are compiled with the types of several generators. */
import type { components } from "./schema.d.ts";

type Schemas = components["schemas"];
export type Action = Schemas["Action"];
export type Choices = Schemas["Choices"];
export type Components = Schemas["Components"];
export type Draw = Schemas["Draw"];
export type Effect = Schemas["Effect"];
export type Event = Schemas["Event"];
export type Notice = Schemas["Notice"];
export type PlayerEvent = Schemas["PlayerEvent"];
export type Position = Schemas["Position"];
export type StreamItem = Schemas["StreamItem"];
