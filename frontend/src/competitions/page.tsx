/** The page of a competition: progress, actions, standings and games. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Header } from "../parts/header";
import { PlayerLink } from "../parts/player_link";
import { ShareLink } from "../parts/sharing";
import { errorText, useClient, usePageContext } from "../shared/context";
import { links } from "../shared/route";
import { EntryTools, HostTools } from "./actions";
import { CompetitionProgress, competitionText } from "./description";
import { type Competition, competitionUrl, isOver, useCompetition, waitUntilReadable } from "./competition";
import { CompetitionGames } from "./games";
import { Podium, Standings } from "./standings";

export function CompetitionPage({ id }: { id: string }) {
  const { words, me } = usePageContext();
  const { competitions } = words;
  const { competition, refused, accept } = useCompetition(id);
  if (competition === null) {
    return (
      <>
        <Header />
        <main class="wide">
          <h1 tabIndex={-1}>{competitions.title}</h1>
          <p class="card">
            {refused ? (refused.status === 404 ? competitions.notFound : errorText(refused, words)) : words.loading}
          </p>
        </main>
      </>
    );
  }
  const { host, standings } = competition;
  const isHost = host !== null && host.id === me.id;
  const own = standings.find(({ player }) => player !== null && player === me.id) ?? null;
  return (
    <>
      <Header />
      <main class="wide competition">
        <div class="title">
          <h1 tabIndex={-1}>{competition.name}</h1>
          <p class="note">{competitionText(competition, words)}</p>
          <p class="note">
            {competitions.hostedBy} <PlayerLink player={host} />
          </p>
        </div>
        <section class="card stack head" data-status={competition.status}>
          <div class="line spread">
            <p class="far big">
              {competition.status === "running" && competition.rounds !== null && (
                <b>{competitions.round(competition.round, competition.rounds)}</b>
              )}
              <CompetitionProgress competition={competition} />
            </p>
            <p class="note">
              {competition.status === "coming"
                ? competitions.playersOf(standings.length, competition.most_players)
                : competitions.playersIn(standings.length)}
            </p>
          </div>
          {hasFewerRounds(competition) && (
            <p class="note">{competitions.fewerRounds(competition.planned_rounds ?? 0)}</p>
          )}
          <NextGame competition={competition} game={own?.game_id ?? null} />
          {!isOver(competition) && <EntryTools competition={competition} own={own} accept={accept} />}
          {isHost && !isOver(competition) && <HostTools competition={competition} accept={accept} />}
        </section>
        {competition.status === "over" && <Podium standings={standings} />}
        {!isOver(competition) && <Share competition={competition} isHost={isHost} />}
        <div class="columns">
          <section class="card stack">
            <h2>{competition.status === "coming" ? competitions.takePart : competitions.standings}</h2>
            <Standings competition={competition} isHost={isHost} />
          </section>
          <CompetitionGames competition={competition} />
        </div>
        <p>
          <a href={links.competitions}>{competitions.allOfThem}</a>
        </p>
      </main>
    </>
  );
}

const hasFewerRounds = ({ rounds, planned_rounds: planned }: Competition) => (rounds ?? 0) < (planned ?? 0);

/** The link to the competition. Before the start, the host sees it unfolded. */
function Share({ competition, isHost }: { competition: Competition; isHost: boolean }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const { id, name, invitation, by_invitation: needsInvitation } = competition;
  if (needsInvitation && !isHost) return null; // their link contains no invitation
  const link = <ShareLink name={competitions.linkOf} url={competitionUrl(id, invitation)} text={name} />;
  if (isHost && competition.status === "coming") {
    return (
      <section class="card stack">
        <p>{needsInvitation ? competitions.sendWith : competitions.send}</p>
        {link}
      </section>
    );
  }
  return (
    <details class="card">
      <summary>{words.share}</summary>
      {link}
    </details>
  );
}

/** The player's game. A game that begins while the page is open opens by itself; an earlier one gets a link. */
function NextGame({ competition, game }: { competition: Competition; game: string | null }) {
  const { words, me } = usePageContext();
  const client = useClient(me.token);
  const before = useRef(game);
  const [opening, setOpening] = useState<string | null>(null);
  useEffect(() => {
    if (game !== null && before.current !== game) setOpening(game);
    before.current = game;
  }, [game]);
  useEffect(() => {
    if (opening === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const request = () => client.GET("/v1/games/{game_id}", { params: { path: { game_id: opening } }, signal });
    waitUntilReadable(request, signal).then((isReadable) => {
      if (isReadable) location.hash = links.game(opening);
      else if (!signal.aborted) setOpening(null);
    });
    return () => controller.abort();
  }, [opening, client]);
  if (isOver(competition) || game === null) return null;
  if (opening === game) return <p role="status">{words.competitions.opening}</p>;
  return (
    <a class="button primary go" href={links.game(game)}>
      {words.competitions.toGame}
    </a>
  );
}
