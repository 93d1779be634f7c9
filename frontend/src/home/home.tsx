/** The start page: rulesets to play, open games, and a form with more settings. */
import { type Schemas, unwrap } from "@azul-games/client";
import { useState } from "preact/hooks";
import { hasLesson, lessonSettings, OPPONENT_LEVEL } from "../coach/lesson_game";
import { lessonStore, NEW_LESSON } from "../coach/progress";
import { useCatalogue } from "../parts/catalogue";
import { useTabState } from "../parts/game_settings";
import { Header } from "../parts/header";
import { LevelField } from "../parts/level";
import { NameField, ownName } from "../parts/name_field";
import { RulesLink, Sureness } from "../parts/rules";
import { Emblem } from "../rulesets/emblem";
import { RULESETS, rulesetTexts } from "../rulesets/registry";
import { useClient, usePageContext } from "../shared/context";
import { useSubmit } from "../shared/fetching";
import { links } from "../shared/route";
import { CreateGame } from "./create";
import { OpenGames } from "./open_games";
import { openNewGame } from "./new_game";

type RulesetId = Schemas["RulesetId"];

const DEFAULT_OPPONENT = { level: "casual" as Schemas["LevelId"] };

export function Home() {
  const { words, settings, me } = usePageContext();
  const { people } = words;
  const { rulesets } = useCatalogue();
  const isKnown = rulesets.length > 0;
  // Until the catalogue is loaded, the page shows the rulesets that it knows.
  const shown = isKnown ? rulesets : RULESETS.map((id) => ({ id, variants: [] }));
  const client = useClient(me.token);
  const [showsMore, setShowsMore] = useState(false);
  const [isSending, submit] = useSubmit();
  const [{ level }, setOpponent] = useTabState("azul-table-opponent", DEFAULT_OPPONENT);
  const play = (ruleset: string, variant: string, isLesson = false) =>
    submit(async () => {
      const seats: Schemas["NewSeatRequest"][] = [
        { kind: "player", name: ownName(settings, me) || null },
        { kind: "ai", level: isLesson ? OPPONENT_LEVEL : level },
      ];
      const lessonBody = isLesson ? lessonSettings(ruleset) : {};
      const body = { ruleset: ruleset as RulesetId, variant, seats, visibility: "private" as const, ...lessonBody };
      const created = unwrap(await client.POST("/v1/games", { body }));
      if (isLesson) lessonStore.keep(created.game.id, NEW_LESSON);
      openNewGame(created);
    });
  return (
    <>
      <Header />
      <main class="wide">
        <h1 tabIndex={-1}>{people.whatToPlay}</h1>
        <ul class="choices">
          {shown.map(({ id, variants }) => (
            <li class="card" key={id}>
              <Emblem ruleset={id} />
              <h2>{rulesetTexts(id, words).name}</h2>
              <p>{rulesetTexts(id, words).inShort}</p>
              <Sureness ruleset={id} />
              <RulesLink ruleset={id} />
              <button
                class="primary"
                disabled={isSending || !isKnown}
                aria-label={`${people.playNow}: ${rulesetTexts(id, words).name}`}
                onClick={() => play(id, variants[0] ?? "")}
              >
                {people.playNow}
              </button>
              {hasLesson(id) && (
                <button
                  class="quiet learn"
                  disabled={isSending}
                  aria-label={`${words.coach.learn}: ${rulesetTexts(id, words).name}`}
                  onClick={() => play(id, variants[0] ?? "", true)}
                >
                  {words.coach.learn}
                </button>
              )}
            </li>
          ))}
        </ul>
        <div class="card filters opponent">
          <NameField />
          <LevelField name={words.sharing.opponent} level={level} choose={(each) => setOpponent({ level: each })} />
          <p class="note">{people.playNowNote}</p>
        </div>
        <OpenGames />
        <div class="tools">
          <a class="door" href={links.lobby}>
            {people.toLobby}
          </a>
          <button
            class="more"
            aria-expanded={showsMore}
            aria-controls="options"
            onClick={() => setShowsMore(!showsMore)}
          >
            {people.moreWays}
          </button>
        </div>
        {showsMore && <CreateGame />}
        <footer>
          <a href="docs">{words.coach.developers}</a>
        </footer>
      </main>
    </>
  );
}
