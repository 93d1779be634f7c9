/** The entry point. Tokens in the fragment are stored and removed from the address at once; browsers never send it. */
import type { Client, ProblemError } from "@azul-games/client";
import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { preloadCatalogue } from "./parts/catalogue";
import { MatchmakingContext } from "./people/matchmaking";
import { useChallenges } from "./people/challenges";
import { CompetingNotice } from "./competitions/notice";
import { storeInvitation } from "./competitions/competition";
import { errorText, PageContext, type PageContextValue, useSettings } from "./shared/context";
import { createClient, unauthorizedHandler } from "./shared/client";
import { KeyCard } from "./parts/key_card";
import { type Me, useMe } from "./shared/me";
import { type Reportable, ReportContext } from "./moderation/report_button";
import { Notices } from "./people/notices";
import { OfflineBanner } from "./parts/header";
import { ServiceNotice } from "./parts/service_notice";
import { AnimationPicture, BanNotice, ReportForm, WarningNotice } from "./on_demand";
import { AnimationContext } from "./review/animation";
import { links, parseRoute, type Route } from "./shared/route";
import { isLoaded, loadPage, Router } from "./router";
import { linkIdentity, signIn, signInReturn } from "./people/sign_in";
import { loadSettings, storeGame } from "./shared/store";
// Modules of both lazy chunks belong to this one.
import "./parts/design/dialog";
import "./parts/notice_page";
import "./parts/push";
import "./parts/sharing";
import "../../service/static/design/design.css";
import "./styles/style.css";
import "./styles/coming.css";
import "./styles/people.css";
import "./styles/home.css";
import "./styles/competitions.css";
import "./styles/sharing.css";
import "./styles/app.css";
import "./styles/scoring.css";
import "./styles/animation.css";
import "./styles/choosing.css";
import "./styles/coach.css";
import "./styles/presence.css";
import "./styles/players.css";
import "./styles/moderation.css";
import "./styles/puzzles.css";
import { yieldToBrowser } from "./shared/tasks";
import { useToast } from "./shared/toast";
import { usePendingRequest } from "./people/pending_request";
import { type Words, WORDS } from "./shared/words";

/** Return the current route. Store the parameters of `#/ID?invite=…&watch=…` and remove them from the address. */
function openRoute(): Route {
  const route = parseRoute(location.hash);
  const [, query] = location.hash.split("?");
  if (!query) return route;
  if (route.page === "competition") {
    storeInvitation(route.id, new URLSearchParams(query).get("invitation") ?? "");
    history.replaceState(null, "", links.competition(route.id));
  }
  if (route.page !== "game") return route;
  const { invite, watch } = Object.fromEntries(new URLSearchParams(query));
  storeGame(route.id, { ...(invite && { invite }), ...(watch && { watch }) });
  history.replaceState(null, "", `#/${route.id}`);
  return route;
}

/** After a return from a provider, link the identity or sign the player in. */
async function completeSignIn(me: Me, anonymous: Client): Promise<"linked" | "signedIn" | "notBegun" | "notSignedIn"> {
  if (signInReturn === null || signInReturn === "unknown") return "notBegun";
  if (signInReturn.code === null) return "notSignedIn";
  if (signInReturn.link) {
    await linkIdentity(await me.client(), signInReturn);
    return "linked";
  }
  const { token, player } = await signIn(anonymous, signInReturn, me.token === null);
  me.leave();
  me.accept(token, player);
  return "signedIn";
}

function Page() {
  const [settings, changeSettings] = useSettings();
  const [route, setRoute] = useState(openRoute);
  const [message, showMessage] = useToast();
  const [reported, report] = useState<readonly Reportable[] | null>(null);
  const [refusal, setRefusal] = useState<ProblemError | null>(null);
  const words = WORDS[settings.language];
  const me = useMe(settings, setRefusal);
  const pendingRequest = usePendingRequest(me, words, showMessage);
  const challenges = useChallenges(me, settings.unseen);
  const [isCompleting, setIsCompleting] = useState(signInReturn !== null);
  useEffect(() => {
    let last: Route;
    const follow = () => {
      const next = (last = openRoute());
      if (isLoaded(next)) setRoute(next);
      else
        loadPage(next).then(
          () => next === last && setRoute(next),
          () => showMessage(words.failed),
        );
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const isFirstRender = useRef(true);
  useEffect(() => {
    if (isFirstRender.current) {
      isFirstRender.current = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus(); // screen readers announce the new page
  }, [route]);
  useEffect(() => {
    if (!isCompleting) return;
    completeSignIn(me, createClient(null, settings, unauthorizedHandler(setRefusal)))
      .then(
        (done) => showMessage(words.people[done]),
        (error: unknown) => showMessage(errorText(error, words)),
      )
      .finally(() => setIsCompleting(false));
  }, []);
  useEffect(() => {
    if (route.page !== "game")
      document.title = [pageTitles(words)[route.page], words.title].filter(Boolean).join(" – ");
  }, [settings, route]);
  const context = useMemo<PageContextValue>(
    () => ({ words, settings, changeSettings, toast: showMessage, onKeyRefused: setRefusal, me }),
    [settings, me],
  );
  const matchmaking = useMemo(
    () => ({ pendingRequest, challenges }),
    [settings, me, pendingRequest.pending, challenges],
  );
  const acceptKey = (apiKey: string) => {
    changeSettings({ apiKey });
    setRefusal(null);
    showMessage("");
  };
  return (
    <PageContext.Provider value={context}>
      <MatchmakingContext.Provider value={matchmaking}>
        <OfflineBanner />
        {!refusal && route.page !== "home" && <ServiceNotice isFloating />}
        {!refusal && route.page !== "lobby" && <Notices />}
        {!refusal && <CompetingNotice />}
        {!refusal && <WarningNotice />}
        {reported && <ReportForm choices={reported} close={() => report(null)} />}
        {refusal ? (
          <KeyCard refused={refusal} accept={acceptKey} />
        ) : me.ban ? (
          <BanNotice ban={me.ban} />
        ) : (
          !isCompleting && (
            <ReportContext.Provider value={report}>
              <AnimationContext.Provider value={AnimationPicture}>
                <Router route={route} language={settings.language} />
              </AnimationContext.Provider>
            </ReportContext.Provider>
          )
        )}
      </MatchmakingContext.Provider>
      <div class="toast" role="status">
        {message && !refusal && <p>{message}</p>}
      </div>
    </PageContext.Provider>
  );
}

/** Return titles for the browser tab. The page of a game sets its own. */
const pageTitles = ({ people, competitions, puzzles }: Words): Partial<Record<Route["page"], string>> => ({
  lobby: people.lobby,
  leaders: people.leaders,
  competitions: competitions.title,
  competition: competitions.title,
  me: people.account,
  puzzles: puzzles.title,
  mistakes: puzzles.mistakes,
});

async function start(): Promise<void> {
  const route = parseRoute(location.hash);
  const preloads = route.page === "home" || route.page === "game" ? [] : [preloadCatalogue(loadSettings())];
  await Promise.all([loadPage(route), ...preloads]).catch(() => undefined);
  await yieldToBrowser();
  const page = document.getElementById("page") as HTMLElement;
  page.replaceChildren();
  render(<Page />, page);
}

/** Delay before the service worker fetches files, so that it does not slow down the first page. */
const WORKER_DELAY_MS = 3000;

/** Register the service worker, which makes the page work offline. */
function registerWorker(): void {
  navigator.serviceWorker?.register("play-worker.js", { scope: "play" }).catch(() => undefined);
}

start();
setTimeout(registerWorker, WORKER_DELAY_MS);
