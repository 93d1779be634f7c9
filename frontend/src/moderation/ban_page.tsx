/** The page of a banned player: reason, end and how to appeal. */
import type { Schemas } from "@azul-games/client";
import { useState } from "preact/hooks";
import { Confirmation } from "../parts/design/dialog";
import { Header } from "../parts/header";
import { formatMoment } from "../parts/player_link";
import { ConductLink } from "../parts/rules";
import { usePageContext } from "../shared/context";

export function BanPage({ ban }: { ban: Schemas["Problem"] }) {
  const { words, settings, me } = usePageContext();
  const { moderation, people } = words;
  const [isLeaving, setIsLeaving] = useState(false);
  const { reason, until, contact } = ban;
  return (
    <>
      <Header />
      <main class="create">
        <section class="card stack">
          <h1 tabIndex={-1}>{moderation.banned}</h1>
          {reason && <p>{moderation.banReason(reason)}</p>}
          <p>{until ? moderation.bannedUntil(formatMoment(until, settings.language)) : moderation.bannedForGood}</p>
          {contact ? (
            <p>
              {moderation.appeal} <a href={contact}>{contact.replace(/^mailto:/, "")}</a>
            </p>
          ) : (
            <p>{moderation.noContact}</p>
          )}
          <p>
            <ConductLink>{moderation.howToAppeal}</ConductLink>
          </p>
          <div class="tools">
            <button onClick={() => setIsLeaving(true)}>{people.signOut}</button>
          </div>
        </section>
        {isLeaving && (
          <Confirmation
            title={people.signOut}
            text={people.signOutSure}
            yes={people.signOutYes}
            confirm={me.leave}
            close={() => setIsLeaving(false)}
          />
        )}
      </main>
    </>
  );
}
