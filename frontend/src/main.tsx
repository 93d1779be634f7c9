/** The page: which game, or a new one, or people. Tokens come in the fragment, which is sent to nobody, and leave it at once. */
import type { ProblemError } from "azul-games-client";
import { render } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { expectCatalogue } from "./parts/catalogue";
import { MatchmakingContext } from "./people/matchmaking";
import { useChallenges } from "./people/challenges";
import { CompetingNotice } from "./competitions/notice";
import { keepInvitation } from "./competitions/competition";
import { PageContext, errorText } from "./shared/context";
import { clientOf, unauthorizedHandler } from "./shared/client";
import { KeyCard } from "./parts/key_card";
import { type Me, useMe } from "./shared/me";
import { Notices } from "./people/notices";
import { OfflineBanner } from "./parts/offline";
import { type Route, parseRoute, links } from "./shared/route";
import { isThere, load, Shown } from "./router";
import { cameBack, link, signIn } from "./people/sign_in";
import { storeGame, loadSettings, saveSettings, type Settings } from "./shared/store";
import "./parts/sharing"; // what both other parts need comes with this one
import "./styles/style.css";
import "./styles/coming.css";
import "./styles/people.css";
import "./styles/competitions.css";
import "./styles/sharing.css";
import "./styles/app.css";
import "./styles/scoring.css";
import "./styles/animation.css";
import "./styles/choosing.css";
import "./styles/coach.css";
import "./styles/presence.css";
import { yieldToBrowser } from "./shared/tasks";
import { useToast } from "./shared/toast";
import { useWaiting } from "./people/pending_request";
import { type Words, WORDS } from "./shared/words";

/** `#/ID?invite=…&watch=…`: the id; what else it says is remembered. */
function opened(): Route {
  const route = parseRoute(location.hash);
  const [, query] = location.hash.split("?");
  if (!query) return route;
  if (route.page === "competition") {
    keepInvitation(route.id, new URLSearchParams(query).get("invitation") ?? "");
    history.replaceState(null, "", links.competition(route.id));
  }
  if (route.page !== "game") return route;
  const { invite, watch } = Object.fromEntries(new URLSearchParams(query));
  storeGame(route.id, { ...(invite && { invite }), ...(watch && { watch }) });
  history.replaceState(null, "", `#/${route.id}`);
  return route;
}

/** Who has come back from a provider is linked to it, or signed in. */
async function complete(
  me: Me,
  anybody: ReturnType<typeof clientOf>,
): Promise<"linked" | "signedIn" | "notBegun" | "notSignedIn"> {
  if (cameBack === null || cameBack === "unknown") return "notBegun";
  if (cameBack.code === null) return "notSignedIn";
  if (cameBack.link) {
    await link(await me.client(), cameBack);
    return "linked";
  }
  const { token, player } = await signIn(anybody, cameBack, me.token === null);
  me.leave();
  me.accept(token, player);
  return "signedIn";
}

function Page() {
  const [settings, setSettings] = useState(loadSettings);
  const [route, setRoute] = useState(opened);
  const [said, setSaid] = useToast();
  const [refusal, keyRefused] = useState<ProblemError | null>(null);
  const change = useCallback((some: Partial<Settings>) => setSettings((before) => ({ ...before, ...some })), []);
  const words = WORDS[settings.language];
  const me = useMe(settings, keyRefused);
  const waiting = useWaiting(me, words, setSaid);
  const challenges = useChallenges(me);
  const [completing, setCompleting] = useState(cameBack !== null);
  useEffect(() => {
    let last: Route;
    const follow = () => {
      const next = (last = opened());
      if (isThere(next)) setRoute(next);
      else
        load(next).then(
          () => next === last && setRoute(next),
          () => setSaid(words.failed),
        );
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus(); // who reads by ear hears where they are
  }, [route]);
  useEffect(() => {
    if (!completing) return;
    complete(me, clientOf(null, settings, unauthorizedHandler(keyRefused)))
      .then(
        (done) => setSaid(words.people[done]),
        (error: unknown) => setSaid(errorText(error, words)),
      )
      .finally(() => setCompleting(false));
  }, []);
  useEffect(() => {
    saveSettings(settings);
    document.documentElement.lang = settings.language;
    document.documentElement.dataset["theme"] = settings.theme;
    if (route.page !== "game") document.title = [titles(words)[route.page], words.title].filter(Boolean).join(" – ");
  }, [settings, route]);
  const around = useMemo(() => ({ words, settings, change, toast: setSaid, onKeyRefused: keyRefused, me }), [settings, me]);
  const matchmaking = useMemo(() => ({ waiting, challenges }), [settings, me, waiting.waited, challenges]);
  const goOn = (apiKey: string) => {
    change({ apiKey });
    keyRefused(null);
    setSaid("");
  };
  return (
    <PageContext.Provider value={around}>
      <MatchmakingContext.Provider value={matchmaking}>
        <OfflineBanner />
        {!refusal && route.page !== "lobby" && <Notices />}
        {!refusal && <CompetingNotice />}
        {refusal ? (
          <KeyCard refused={refusal} accept={goOn} />
        ) : (
          !completing && <Shown route={route} language={settings.language} />
        )}
      </MatchmakingContext.Provider>
      <div class="toast" role="status">
        {said && !refusal && <p>{said}</p>}
      </div>
    </PageContext.Provider>
  );
}

/** What the page is called in the browser's list; the others are the table itself. */
const titles = ({ people, competitions }: Words): Partial<Record<Route["page"], string>> => ({
  lobby: people.lobby,
  leaders: people.leaders,
  competitions: competitions.title,
  competition: competitions.title,
  me: people.account,
});

async function begin(): Promise<void> {
  const route = parseRoute(location.hash);
  const needed = route.page === "home" || route.page === "game" ? [] : [expectCatalogue(loadSettings())];
  await Promise.all([load(route), ...needed]).catch(() => undefined);
  await yieldToBrowser();
  const page = document.getElementById("page") as HTMLElement;
  page.replaceChildren();
  render(<Page />, page);
}

/** By then the page is there, and what the worker keeps takes nothing from it. */
const CALM_MS = 3000;

/** It opens offline, too. */
function keepShell(): void {
  navigator.serviceWorker?.register("play-worker.js", { scope: "play" }).catch(() => undefined);
}

begin();
setTimeout(keepShell, CALM_MS);
