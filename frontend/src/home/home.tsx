/** The start page: rulesets to play, open games, and a form with more settings. */
import { type Schemas, unwrap } from "@azul-games/client";
import { GraduationCap, Play, SlidersHorizontal, Users } from "lucide";
import { useState } from "preact/hooks";
import { hasLesson, lessonSettings, OPPONENT_LEVEL } from "../coach/lesson_game";
import { lessonStore, NEW_LESSON } from "../coach/progress";
import { useCatalogue } from "../parts/catalogue";
import { useTabState } from "../parts/game_settings";
import { Button } from "../parts/design/button";
import { Icon } from "../parts/design/icon";
import { Header } from "../parts/header";
import { LevelField } from "../parts/level";
import { NameField, ownName } from "../parts/name_field";
import { ConductLink, RulesLink, Sureness } from "../parts/rules";
import { ServiceNotice } from "../parts/service_notice";
import { Emblem } from "../rulesets/emblem";
import { DEFAULT_RULESET, RULESETS, rulesetTexts } from "../rulesets/registry";
import { useClient, usePageContext } from "../shared/context";
import { useSubmit } from "../shared/fetching";
import { links } from "../shared/route";
import { CreateGame } from "./create";
import { DailyPuzzle } from "./daily";
import { LiveGames } from "./live_games";
import { openNewGame } from "./new_game";
import { EarlierGames, GameCard, useOwnGames } from "./open_games";

type RulesetId = Schemas["RulesetId"];

/** The size of `static/app/board.*.svg`, which `python -m tests.browser.pictures` draws. */
const BOARD_PX = { width: 1088, height: 606 };

/** Two people take turns on this device. */
const BESIDE = "beside";
const DEFAULT_LEVEL: Schemas["LevelId"] = "casual";
const DEFAULT_OPPONENT: { level: Schemas["LevelId"] | typeof BESIDE } = { level: DEFAULT_LEVEL };

export function Home() {
  const { words, settings, me } = usePageContext();
  const { people } = words;
  const { rulesets } = useCatalogue();
  const isKnown = rulesets.length > 0;
  // Until the catalogue is loaded, the page shows the rulesets that it knows.
  const shown = isKnown ? rulesets.map(({ id }) => id) : RULESETS;
  const client = useClient(me.token);
  const [showsMore, setShowsMore] = useState(false);
  const [isSending, submit] = useSubmit();
  const [{ level }, setOpponent] = useTabState("azul-table-opponent", DEFAULT_OPPONENT);
  const aiLevel = level === BESIDE ? DEFAULT_LEVEL : level;
  const play = (ruleset: string, opponent: Schemas["NewSeatRequest"], isLesson = false) =>
    submit(async () => {
      const variant = rulesets.find(({ id }) => id === ruleset)?.variants[0] ?? "";
      const seats: Schemas["NewSeatRequest"][] = [{ kind: "player", name: ownName(settings, me) || null }, opponent];
      const lessonBody = isLesson ? lessonSettings(ruleset) : {};
      const body = { ruleset: ruleset as RulesetId, variant, seats, visibility: "private" as const, ...lessonBody };
      const created = unwrap(await client.POST("/v1/games", { body }));
      if (isLesson) lessonStore.keep(created.game.id, NEW_LESSON);
      openNewGame(created);
    });
  const ownGames = useOwnGames();
  if (ownGames === null) {
    return (
      <>
        <Header />
        <main class="coming" aria-busy="true">
          <i />
          <i />
          <i />
        </main>
      </>
    );
  }
  const { unfinished, forget } = ownGames;
  return (
    <>
      <ServiceNotice />
      <Header />
      <main class="wide home-page">
        {unfinished.length > 0 ? (
          <section class="part">
            <h1 tabIndex={-1}>{words.yourGames}</h1>
            <ul class="game-cards">
              {unfinished.map((game) => (
                <GameCard key={game.id} game={game} forget={forget} />
              ))}
            </ul>
          </section>
        ) : (
          <section class="hero">
            <div>
              <h1 tabIndex={-1}>{people.pitch}</h1>
              <p>{people.pitchNote}</p>
              <div class="tools">
                <Button
                  class="primary large"
                  whyNot={(isSending || !isKnown) && words.busy}
                  onClick={() => play(DEFAULT_RULESET, { kind: "ai", level: aiLevel })}
                >
                  <Icon icon={Play} />
                  {people.playAgainstAI}
                </Button>
                <a class="button large" href={links.lobby}>
                  <Icon icon={Users} />
                  {people.toLobby}
                </a>
              </div>
            </div>
            <img
              src={`static/app/board.${settings.language}.svg`}
              width={BOARD_PX.width}
              height={BOARD_PX.height}
              alt={people.boardPicture}
              loading="lazy"
            />
          </section>
        )}
        <DailyPuzzle />
        <section class="part">
          <h2>{people.whatToPlay}</h2>
          <ul class="choices">
            {shown.map((id) => {
              const { name, inShort } = rulesetTexts(id, words);
              return (
                <li class="card" key={id}>
                  <Emblem ruleset={id} />
                  <h3>{name}</h3>
                  <div class="about">
                    <p>{inShort}</p>
                    <Sureness ruleset={id} />
                    <RulesLink ruleset={id} />
                  </div>
                  <Button
                    class="primary"
                    whyNot={(isSending || !isKnown) && words.busy}
                    aria-label={`${people.playNow}: ${name}`}
                    onClick={() => play(id, level === BESIDE ? { kind: "player" } : { kind: "ai", level })}
                  >
                    <Icon icon={Play} />
                    {people.playNow}
                  </Button>
                  {hasLesson(id) && (
                    <Button
                      class="learn"
                      whyNot={(isSending || !isKnown) && words.busy}
                      aria-label={`${words.coach.learn}: ${name}`}
                      onClick={() => play(id, { kind: "ai", level: OPPONENT_LEVEL }, true)}
                    >
                      <Icon icon={GraduationCap} />
                      {words.coach.learn}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
          <div class="card filters opponent">
            <NameField />
            <LevelField
              name={words.sharing.opponent}
              level={level}
              choose={(each) => setOpponent({ level: each })}
              notes={{ [BESIDE]: people.besideNote }}
            >
              <option value={BESIDE}>{people.beside}</option>
            </LevelField>
            <p class="note">{people.playNowNote}</p>
          </div>
          <div class="tools">
            {unfinished.length > 0 && (
              <a class="button" href={links.lobby}>
                <Icon icon={Users} />
                {people.toLobby}
              </a>
            )}
            <button
              class="more"
              aria-expanded={showsMore}
              aria-controls="options"
              onClick={() => setShowsMore(!showsMore)}
            >
              <Icon icon={SlidersHorizontal} />
              {people.moreWays}
            </button>
          </div>
          {showsMore && <CreateGame />}
        </section>
        <LiveGames own={unfinished} />
        <EarlierGames {...ownGames} />
      </main>
      <footer class="foot">
        <ConductLink />
        <span>{words.coach.developers}</span>
        <a href="docs">{people.documentation}</a>
        <a href="docs#api">{words.apiDocs}</a>
        <a href="v1/openapi.json">OpenAPI</a>
      </footer>
    </>
  );
}
