import { Header } from "./header";

/** A page with a single message. `role`: its ARIA role, if screen readers should announce changes. */
export function NoticePage({ text, role }: { text: string; role?: "status" }) {
  return (
    <>
      <Header />
      <main class="create">
        <p class="card" role={role}>
          {text}
        </p>
      </main>
    </>
  );
}
