/** The context of the sections: texts, the client with the token, and the role that it has. */
import { type Client, ProblemError, unwrap } from "@azul-games/client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Settings } from "../shared/store";
import type { components, paths } from "./schema";
import type { AdminWords } from "./words/en";

/** Types of the document for the staff by name: `Schemas["Report"]`. */
export type Schemas = components["schemas"];
export type StaffClient = Client<paths>;

/** Return the client with the types of the operations for the staff. It sends any request. */
export const asStaff = (client: Client): StaffClient => client as unknown as StaffClient;

/** Admins may do everything that moderators may. The operator is an admin. */
export type Role = "moderator" | "admin";

export interface AdminContextValue {
  words: AdminWords;
  settings: Settings;
  /** Client with the token. */
  staff: StaffClient;
  role: Role;
}

export const AdminContext = createContext<AdminContextValue | null>(null);

export function useAdmin(): AdminContextValue {
  const value = useContext(AdminContext);
  if (value === null) throw new Error("useAdmin needs an AdminContext.Provider around the component");
  return value;
}

/** Return the role of the client's token. Throw ProblemError if it has none. */
export async function roleOf(staff: StaffClient): Promise<Role> {
  try {
    unwrap(await staff.GET("/v1/admin/staff"));
    return "admin";
  } catch (error) {
    if (error instanceof ProblemError && error.code === "auth/admin_only") return "moderator";
    throw error;
  }
}
