/** The page of all components, for development and tests. It is not part of the product. */
import { Play, Trash2 } from "lucide";
import { render } from "preact";
import { useState } from "preact/hooks";
import "../../service/static/design/design.css";
import "./styles/style.css";
import "./styles/people.css";
import "./styles/app.css";
import { Button } from "./parts/design/button";
import { Confirmation } from "./parts/design/dialog";
import { Icon } from "./parts/design/icon";
import { Menu } from "./parts/design/menu";
import { Checkbox, SelectField } from "./parts/fields";
import { Tiles } from "./parts/tiles";
import { PageContext, type PageContextValue, usePageContext } from "./shared/context";
import { NOBODY } from "./shared/me";
import { loadSettings, type Theme } from "./shared/store";
import { type Language, WORDS } from "./shared/words";

/** Pairs of a surface and the text on it. */
const ROLES = [
  ["ground", "ink"],
  ["panel", "ink"],
  ["panel", "faint"],
  ["sunken", "faint"],
  ["panel", "brand"],
  ["action", "on-action"],
  ["panel", "action"],
  ["danger", "on-danger"],
  ["panel", "danger"],
  ["selected", "on-selected"],
  ["turn", "on-turn"],
  ["turn-soft", "ink"],
  ["panel", "turn"],
  ["panel", "good"],
  ["panel", "bad"],
  ["inverse", "on-inverse"],
] as const;

function Components({ language, theme }: { language: Language; theme: Theme }) {
  const { words } = usePageContext();
  const { people } = words;
  const [isAsking, setIsAsking] = useState(false);
  const [chosen, choose] = useState(2);
  return (
    <>
      <header class="bar">
        <a class="home" href="#">
          {words.title}
        </a>
        <span class="push" />
        <Menu label={words.menu}>
          <a href="#">{people.lobby}</a>
          <button>{words.language}</button>
        </Menu>
      </header>
      <h1>
        {language} · {theme}
      </h1>
      <section class="card stack">
        <h2>{people.whatToPlay}</h2>
        <p>
          {people.pitch} <a href="#">{words.rules}</a>
        </p>
        <p class="note">{people.pitchNote}</p>
        <div class="tools">
          <button class="primary large">
            <Icon icon={Play} />
            {people.playNow}
          </button>
          <button class="primary">{people.seek}</button>
          <button>{words.cancel}</button>
          <a class="button" href="#">
            {people.toLobby}
          </a>
          <button aria-pressed="true">{words.views.market}</button>
          <button class="quiet">{words.forget}</button>
          <button class="danger" onClick={() => setIsAsking(true)}>
            <Icon icon={Trash2} />
            {people.delete}
          </button>
          <Button whyNot={people.needsName}>{people.save}</Button>
        </div>
        {isAsking && (
          <Confirmation
            title={people.delete}
            text={people.deleteSure}
            yes={people.deleteYes}
            confirm={() => setIsAsking(false)}
            close={() => setIsAsking(false)}
          />
        )}
      </section>
      <form class="card stack">
        <label class="field">
          <span>{words.yourName}</span>
          <input name="nickname" autocomplete="off" />
        </label>
        <SelectField label={words.clock} value="" choose={() => undefined}>
          <option>{words.noClock}</option>
        </SelectField>
        <Checkbox label={people.ratedLong} checked toggle={() => undefined} />
        <Tiles
          legend={words.players}
          name={`players-${language}-${theme}`}
          values={[2, 3, 4]}
          chosen={chosen}
          choose={choose}
          textOf={String}
        />
      </form>
      <details class="card">
        <summary>{words.fromText}</summary>
        <p>{words.pasteHere}</p>
      </details>
      <p class="banner">{words.offline}</p>
      <div class="toast">
        <p>{words.copied}</p>
      </div>
      <section class="card stack">
        {ROLES.map(([surface, text]) => (
          <p
            key={surface + text}
            class="swatch-row"
            style={`background: var(--${surface}); color: var(--${text})`}
          >{`--${text} / --${surface}`}</p>
        ))}
      </section>
    </>
  );
}

const context = (language: Language): PageContextValue => ({
  words: WORDS[language],
  settings: { ...loadSettings(), language },
  changeSettings: () => undefined,
  toast: () => undefined,
  onKeyRefused: () => undefined,
  me: NOBODY,
});

const THEMES = ["light", "dark"] as const;

render(
  <>
    {(Object.keys(WORDS) as Language[]).flatMap((language) =>
      THEMES.map((theme) => (
        <PageContext.Provider key={language + theme} value={context(language)}>
          <section data-theme={theme} lang={language}>
            <Components language={language} theme={theme} />
          </section>
        </PageContext.Provider>
      )),
    )}
  </>,
  document.getElementById("page") as HTMLElement,
);
