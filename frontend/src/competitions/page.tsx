/** The page of a competition: how far it is, what one can do, the standings, the games. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Header } from "../parts/header";
import { PlayerLink } from "../parts/player_link";
import { ShareLink } from "../parts/sharing";
import { errorText, usePageContext, useClient } from "../shared/context";
import { links } from "../shared/route";
import { HostTools, Taking } from "./actions";
import { competitionTold, HowFar } from "./description";
import { type Competition, isOver, linkTo, useCompetition, whenThere } from "./competition";
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
  const mine = standings.find(({ player }) => player !== null && player === me.id) ?? null;
  return (
    <>
      <Header />
      <main class="wide competition">
        <div class="title">
          <h1 tabIndex={-1}>{competition.name}</h1>
          <p class="note">{competitionTold(competition, words)}</p>
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
              <HowFar of={competition} />
            </p>
            <p class="note">
              {competition.status === "coming"
                ? competitions.playersOf(standings.length, competition.most_players)
                : competitions.playersIn(standings.length)}
            </p>
          </div>
          <NextGame competition={competition} game={mine?.game_id ?? null} />
          {!isOver(competition) && <Taking competition={competition} mine={mine} accept={accept} />}
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

/** The host is told to send the link; for others it is folded away. */
function Share({ competition, isHost }: { competition: Competition; isHost: boolean }) {
  const { words } = usePageContext();
  const { competitions } = words;
  const { id, name, invitation, by_invitation: invites } = competition;
  if (invites && !isHost) return null; // what they could send would let nobody in
  const link = <ShareLink name={competitions.linkOf} url={linkTo(id, invitation)} text={name} />;
  if (isHost && competition.status === "coming") {
    return (
      <section class="card stack">
        <p>{invites ? competitions.sendWith : competitions.send}</p>
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

/** Our game: one that begins while we look on opens by itself, one that is played already is a button. */
function NextGame({ competition, game }: { competition: Competition; game: string | null }) {
  const { words, me } = usePageContext();
  const client = useClient(me.token);
  const before = useRef(game);
  const [opening, open] = useState<string | null>(null);
  useEffect(() => {
    if (game !== null && before.current !== game) open(game);
    before.current = game;
  }, [game]);
  useEffect(() => {
    if (opening === null) return;
    const ending = new AbortController();
    const { signal } = ending;
    const look = () => client.GET("/v1/games/{game_id}", { params: { path: { game_id: opening } }, signal });
    whenThere(look, signal).then((there) => {
      if (there) location.hash = links.game(opening);
      else if (!signal.aborted) open(null);
    });
    return () => ending.abort();
  }, [opening, client]);
  if (isOver(competition) || game === null) return null;
  if (opening === game) return <p role="status">{words.competitions.opening}</p>;
  return (
    <a class="door go" href={links.game(game)}>
      {words.competitions.toGame}
    </a>
  );
}
