/** A player's public profile: ratings, statistics and games, with buttons to challenge, follow or block. */
import { type Client, type Schemas, unwrap } from "@azul-games/client";
import { useEffect, useState } from "preact/hooks";
import { ReportButton, reportablePlayer } from "../moderation/report_button";
import { Button } from "../parts/design/button";
import { Header } from "../parts/header";
import { NoticePage } from "../parts/notice_page";
import { Avatar, formatDate, playerName, seatNames } from "../parts/player_link";
import { rulesetTexts } from "../rulesets/registry";
import { errorText, useClient, usePageContext } from "../shared/context";
import { useLoaded, useResultToast } from "../shared/fetching";
import type { Player } from "../shared/me";
import { links } from "../shared/route";
import type { Words } from "../shared/words";
import { ChallengeForm } from "./challenges";
import { Curve } from "./curve";
import { useMatchmaking } from "./matchmaking";

interface Profile {
  player: Player;
  ratings: readonly Schemas["Rating"][];
  statistics: Schemas["PlayerStatistics"];
  games: readonly Schemas["GameSummary"][];
}

const MAX_GAMES = 10;

async function fetchProfile(client: Client, id: string): Promise<Profile> {
  const params = { path: { player: id } };
  const games = { ...params, query: { limit: MAX_GAMES } };
  const answers = await Promise.all([
    client.GET("/v1/players/{player}", { params }),
    client.GET("/v1/players/{player}/ratings", { params }),
    client.GET("/v1/players/{player}/statistics", { params }),
    client.GET("/v1/players/{player}/games", { params: games }),
  ]);
  return {
    player: unwrap(answers[0]),
    ratings: unwrap(answers[1]).ratings,
    statistics: unwrap(answers[2]),
    games: unwrap(answers[3]).games,
  };
}

export function ProfilePage({ id }: { id: string }) {
  const { words, me, settings } = usePageContext();
  const { people } = words;
  const client = useClient(me.token);
  const { value: profile, error } = useLoaded(() => fetchProfile(client, id), [client, id]);
  if (!profile) return <NoticePage text={error === null ? words.loading : errorText(error, words)} role="status" />;
  const { player, ratings, statistics, games } = profile;
  return (
    <>
      <Header />
      <main class="wide">
        <div class="person">
          <div>
            <h1 tabIndex={-1}>
              <Avatar name={playerName(player, words)} /> {playerName(player, words)}
            </h1>
            <p class="note">
              {player.handle && `@${player.handle} · `}
              {player.bot && `${people.bot} · `}
              {player.country && `${countryName(player.country, settings.language)} · `}
              {people.since(formatDate(player.created_at, settings.language))}
            </p>
          </div>
          {player.id === me.id ? <a href={links.me}>{people.toMe}</a> : <PlayerActions player={player} />}
        </div>
        <div class="columns">
          <div class="column">
            <section class="card">
              <h2>{people.ratings}</h2>
              {ratings.length === 0 && <p class="note">{people.noRatings}</p>}
              <ul class="ratings">
                {ratings.map((rating) => (
                  <RatingCard
                    key={`${rating.ruleset} ${rating.seats}`}
                    rating={rating}
                    client={client}
                    player={player}
                  />
                ))}
              </ul>
            </section>
            <Statistics statistics={statistics} />
          </div>
          <div class="column">
            {player.id !== me.id && <SharedGames id={player.id} />}
            <section class="card">
              <h2>{people.lastGames}</h2>
              {games.length === 0 && <p class="note">{people.noGames}</p>}
              <ul class="rows">
                {games.map((game) => (
                  <GameRow key={game.id} game={game} id={player.id} />
                ))}
              </ul>
            </section>
          </div>
        </div>
      </main>
    </>
  );
}

function countryName(code: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The reader's games with the player, also those that are not public, or nothing if there are none. */
function SharedGames({ id }: { id: string }) {
  const { words, me } = usePageContext();
  const { value: games } = useLoaded(async () => {
    if (me.token === null) return [];
    const params = { query: { opponent: id, limit: MAX_GAMES } };
    return unwrap(await (await me.client()).GET("/v1/me/games", { params })).games;
  }, [me.token, id]);
  if (!games?.length) return null;
  return (
    <section class="card">
      <h2>{words.people.sharedGames}</h2>
      <ul class="rows" aria-label={words.people.sharedGames}>
        {games.map((game) => (
          <GameRow key={game.id} game={game} id={me.id ?? ""} />
        ))}
      </ul>
    </section>
  );
}

/** Buttons to challenge, follow or block the player. */
function PlayerActions({ player }: { player: Player }) {
  const { words, me } = usePageContext();
  const { pendingRequest } = useMatchmaking();
  const { people } = words;
  const showResult = useResultToast();
  const [isChallenging, setIsChallenging] = useState(false);
  const [isBlocked, setIsBlocked] = useState(false);
  const [isFollowed, setIsFollowed] = useState(false);
  const fetchRelations = async () => {
    const client = await me.client();
    const [blocked, followed] = await Promise.all([client.GET("/v1/me/blocked"), client.GET("/v1/me/following")]);
    setIsBlocked(unwrap(blocked).blocked.some(({ id }) => id === player.id));
    setIsFollowed(unwrap(followed).following.some((each) => each.player.id === player.id));
  };
  useEffect(() => {
    if (me.token !== null) fetchRelations().catch(() => undefined);
  }, [me.token, player.id]);
  const toggle = async (isOn: boolean, path: "/v1/me/blocked/{player}" | "/v1/me/following/{player}") => {
    const params = { path: { player: player.id } };
    const client = await me.client();
    unwrap(await (isOn ? client.DELETE(path, { params }) : client.PUT(path, { params, body: {} })));
    await fetchRelations(); // a block ends following
  };
  if (isChallenging) return <ChallengeForm player={player} close={() => setIsChallenging(false)} />;
  return (
    <div class="tools">
      {!isBlocked && (
        <Button
          class="primary"
          whyNot={pendingRequest.pending !== null && people.onlyOneRequest}
          onClick={() => setIsChallenging(true)}
        >
          {people.challenge}
        </Button>
      )}
      {!isBlocked && (
        <button
          onClick={() =>
            showResult(
              toggle(isFollowed, "/v1/me/following/{player}"),
              isFollowed ? people.unfollowedNow : people.followedNow,
            )
          }
        >
          {isFollowed ? people.unfollow : people.follow}
        </button>
      )}
      <button
        onClick={() =>
          showResult(toggle(isBlocked, "/v1/me/blocked/{player}"), isBlocked ? people.unblockedNow : people.blockedNow)
        }
      >
        {isBlocked ? people.unblock : people.block}
      </button>
      <ReportButton choices={reportablePlayer(player.id, playerName(player, words))} />
    </div>
  );
}

const ratingTitle = ({ ruleset, seats }: { ruleset: string; seats: Schemas["RatingSeats"] }, words: Words): string =>
  `${rulesetTexts(ruleset, words).name}, ${words.ratingSeats[seats]}`;

/** A rating with its history. */
function RatingCard({
  rating,
  client,
  player: { id, created_at },
}: {
  rating: Schemas["Rating"];
  client: Client;
  player: Pick<Player, "id" | "created_at">;
}) {
  const { words } = usePageContext();
  const { people } = words;
  const { ruleset, seats, points, provisional, best, games, wins } = rating;
  const { value: history } = useLoaded(async () => {
    const params = { path: { player: id }, query: { ruleset, seats } };
    return unwrap(await client.GET("/v1/players/{player}/ratings", { params })).history;
  }, [client, id, ruleset, seats, games]);
  return (
    <li>
      <h3>
        <a href={links.leaders(ruleset, seats)}>{ratingTitle(rating, words)}</a>
      </h3>
      <p>
        <b class="figure">{points}</b> {provisional && <small>{people.provisional}</small>}
      </p>
      <p class="note">
        {people.gamesWon(games, wins)}
        {best !== null && ` · ${people.best(best)}`}
      </p>
      <Curve history={history ?? []} created={created_at} />
    </li>
  );
}

/** Statistics by ruleset, and for two seats by opponent. */
function Statistics({ statistics }: { statistics: Schemas["PlayerStatistics"] }) {
  const { words } = usePageContext();
  const { people } = words;
  const { rulesets, opponents } = statistics;
  return (
    <section class="card">
      <h2>{people.statistics}</h2>
      {rulesets.length === 0 && <p class="note">{people.noStatistics}</p>}
      {rulesets.length > 0 && (
        <div class="scrolls" tabIndex={0} role="group" aria-label={people.statistics}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.game}</th>
                <th scope="col">{people.games}</th>
                <th scope="col">{people.wins}</th>
                <th scope="col">{people.bestScore}</th>
                <th scope="col">{people.streak}</th>
              </tr>
            </thead>
            <tbody>
              {rulesets.map((each) => (
                <tr key={ratingTitle(each, words)}>
                  <th scope="row">{ratingTitle(each, words)}</th>
                  <td>{each.games}</td>
                  <td>{each.wins}</td>
                  <td>{each.best_score}</td>
                  <td>{each.longest_streak}</td>
                </tr>
              ))}
              {opponents.map(({ ruleset, level, games, wins }) => (
                <tr key={`${ruleset} ${level}`}>
                  <th scope="row">
                    {rulesetTexts(ruleset, words).name}{" "}
                    {level === null ? people.againstPeople : people.against(words.ai(level))}
                  </th>
                  <td>{games}</td>
                  <td>{wins}</td>
                  <td />
                  <td />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function GameRow({ game, id }: { game: Schemas["GameSummary"]; id: string }) {
  const { words, settings } = usePageContext();
  const { people } = words;
  const names = seatNames(game.seats, words).filter((_, seat) => game.seats[seat]?.player !== id);
  const scores = game.seats.map(({ score }) => score).filter((score) => score !== null);
  return (
    <li>
      <div>
        <a href={links.game(game.id)}>{rulesetTexts(game.ruleset, words).name}</a>{" "}
        <small>{people.with(names.join(", "))}</small>
        <p class="note">
          {people.status[game.status] ?? game.status}
          {scores.length > 0 && ` · ${scores.join(" : ")}`}
          {game.rated && ` · ${people.rated}`}
        </p>
      </div>
      <time dateTime={game.updated_at}>{formatDate(game.updated_at, settings.language)}</time>
    </li>
  );
}
