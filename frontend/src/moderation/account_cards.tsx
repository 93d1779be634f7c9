/** What moderators have imposed on the player, and the player's reports, on the account page. */
import { type Client, unwrap } from "@azul-games/client";
import { formatDate, formatMoment } from "../parts/player_link";
import { ConductLink } from "../parts/rules";
import { ImposedNote, useImposed } from "../parts/standing";
import { usePageContext } from "../shared/context";
import { useLoaded } from "../shared/fetching";
import { links } from "../shared/route";

/** The last warning, mute and exclusion, or nothing. */
export function StandingCard() {
  const { words, settings, me } = usePageContext();
  const { moderation } = words;
  const muted = useImposed("muted_until");
  const excluded = useImposed("unrated_until");
  const warning = me.standing?.warning;
  if (!warning && !muted && !excluded) return null;
  return (
    <section class="card stack">
      <h2>{moderation.fromModerators}</h2>
      {warning && (
        <div>
          <p class="note">{moderation.warnedOn(formatMoment(warning.at, settings.language))}</p>
          <blockquote>{warning.reason}</blockquote>
        </div>
      )}
      {muted && <ImposedNote kind="muted" until={muted} />}
      {excluded && <ImposedNote kind="excluded" until={excluded} />}
    </section>
  );
}

/** The player's reports and what became of them, or nothing if there are none. */
export function OwnReports({ client }: { client: Client }) {
  const { words, settings } = usePageContext();
  const { moderation } = words;
  const { value: reports } = useLoaded(async () => unwrap(await client.GET("/v1/me/reports")).reports, [client]);
  if (!reports?.length) return null;
  return (
    <section class="card stack">
      <h2>{moderation.yourReports}</h2>
      <ul class="rows" aria-label={moderation.yourReports}>
        {reports.map(({ id, object, category, text, status, created_at }) => (
          <li key={id}>
            <div>
              <a href={object.game_id ? links.game(object.game_id) : links.player(object.player ?? "")}>
                {words.reportedTypes[object.type] ?? object.type}
              </a>
              {": "}
              {words.reportCategories[category] ?? category}
              <p class="note">
                {formatDate(created_at, settings.language)}
                {text && ` · ${text}`}
              </p>
            </div>
            <b>{moderation.status[status] ?? status}</b>
          </li>
        ))}
      </ul>
      <p class="note">
        <ConductLink />
      </p>
    </section>
  );
}
