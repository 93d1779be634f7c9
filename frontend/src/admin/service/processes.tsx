/** The state of the service: processes, which can be drained, queues, Redis and faults. */
import { unwrap } from "@azul-games/client";
import type { ComponentChildren } from "preact";
import { useLoaded, useResultToast } from "../../shared/fetching";
import { type Schemas, useAdmin } from "../context";
import { asWords, Badge, Facts, gameTitle, Heading, LoadingNote, PlayerRef, When } from "../parts";
import type { AdminWords } from "../words/en";

type State = Schemas["ServiceState"];

const REFRESH_MS = 10_000;
const MIB = 2 ** 20;

export function Processes() {
  const { words, staff } = useAdmin();
  const showResult = useResultToast();
  const loaded = useLoaded(async () => unwrap(await staff.GET("/v1/admin/state")), [staff], { refreshMs: REFRESH_MS });
  const state = loaded.value;
  const toggle = async ({ name, drained }: State["processes"][number]) => {
    const params = { path: { process: name } };
    const path = "/v1/admin/processes/{process}/drain";
    unwrap(await (drained ? staff.DELETE(path, { params }) : staff.PUT(path, { params })));
    await loaded.reload();
  };
  return (
    <>
      <Heading title={words.sections.processes} />
      <LoadingNote {...loaded} />
      {state && (
        <>
          <section class="card stack">
            {state.warnings.map((warning) => (
              <p key={warning}>
                <Badge tone="bad">{words.warning}</Badge> {asWords(warning)}
              </p>
            ))}
            <Facts
              facts={[
                [words.storedGames, state.stored_games],
                ...state.living.map(({ kind, count }) => [words.processKinds[kind] ?? kind, count] as const),
              ]}
            />
          </section>
          <Rows title={words.processes} empty={words.noProcesses}>
            {state.processes.map((process) => (
              <li key={process.name}>
                <span>
                  {words.processKinds[process.kind] ?? process.kind} <code>{process.name}</code>
                </span>
                <Badge tone={process.drained ? "turn" : "good"}>
                  {process.drained ? words.drained : words.working}
                </Badge>
                <button
                  aria-label={process.drained ? words.resumeProcess(process.name) : words.drainProcess(process.name)}
                  onClick={() => showResult(toggle(process), process.drained ? words.resumed : words.drainedNow)}
                >
                  {process.drained ? words.resume : words.drain}
                </button>
              </li>
            ))}
          </Rows>
          <p class="note">{words.drainNote}</p>
          <div class="columns">
            <Waiting title={words.queues} entries={state.queues} />
            <Waiting title={words.due} entries={state.due} />
          </div>
          <Rows title={words.servers} empty={words.none}>
            {state.servers.map((server) => (
              <li key={server.name}>
                <span>{asWords(server.name)}</span>
                {server.ping_s === null ? (
                  <Badge tone="bad">{words.noResponse}</Badge>
                ) : (
                  <>
                    <span class="note">{words.milliseconds(1000 * server.ping_s)}</span>
                    <span class="note">{memoryText(server, words)}</span>
                  </>
                )}
              </li>
            ))}
          </Rows>
          <Rows title={words.lateGames} empty={words.noLateGames}>
            {state.late_games.map((game) => (
              <li key={game.id}>
                <a href={`play#/${game.id}`}>{gameTitle(game, words)}</a>
                <When at={game.updated_at} />
              </li>
            ))}
          </Rows>
          <Rows title={words.disabledWebhooks} empty={words.noDisabledWebhooks}>
            {state.disabled_webhooks.map(({ player, url, reason }) => (
              <li key={player + url}>
                <span>{url}</span>
                <PlayerRef id={player} />
                <span class="note">{reason === null ? words.byThePlayer : asWords(reason)}</span>
              </li>
            ))}
          </Rows>
        </>
      )}
    </>
  );
}

function Rows({ title, empty, children }: { title: string; empty: string; children: ComponentChildren[] }) {
  return (
    <section class="card stack">
      <h2>{title}</h2>
      {children.length === 0 ? <p class="note">{empty}</p> : <ul class="rows">{children}</ul>}
    </section>
  );
}

function Waiting({ title, entries }: { title: string; entries: State["queues"] }) {
  const { words } = useAdmin();
  return (
    <section class="card">
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.count}</th>
            <th scope="col">{words.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ name, count, oldest_s }) => (
            <tr key={name}>
              <th scope="row">{asWords(name)}</th>
              <td>{count}</td>
              <td>{words.seconds(oldest_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function memoryText({ used_bytes, most_bytes }: State["servers"][number], words: AdminWords): string {
  if (used_bytes === null) return "";
  const used = Math.round(used_bytes / MIB);
  return most_bytes ? words.memoryOf(used, Math.round(most_bytes / MIB)) : words.memory(used);
}
