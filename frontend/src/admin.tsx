/** The entry point of the admin page, a client of the API for members of staff and the operator. */
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import "../../service/static/design/design.css";
import "./styles/style.css";
import "./styles/people.css";
import "./styles/app.css";
import "./styles/players.css";
import "./styles/admin.css";
import { AdminContext, asStaff } from "./admin/context";
import { AdminPage } from "./admin/page";
import { type Session, SignIn, storedSession, storeSession } from "./admin/sign_in";
import { ADMIN_WORDS } from "./admin/words";
import { Appearance, OfflineBanner } from "./parts/header";
import { createClient, unauthorizedHandler } from "./shared/client";
import { errorText, PageContext, useSettings } from "./shared/context";
import { useToast } from "./shared/toast";

function Page() {
  const [settings, changeSettings] = useSettings();
  const [session, setSession] = useState(storedSession);
  const [message, showMessage] = useToast();
  const { language, apiKey } = settings;
  const words = ADMIN_WORDS[language];
  const accept = (accepted: Session | null) => {
    storeSession(accepted);
    setSession(accepted);
  };
  useEffect(() => {
    if (session === null) document.title = words.title;
  }, [language, session]);
  const admin = useMemo(() => {
    if (session === null) return null;
    const onUnauthorized = unauthorizedHandler(
      (refusal) => showMessage(errorText(refusal, words)),
      () => accept(null),
    );
    const staff = asStaff(createClient(session.token, settings, onUnauthorized));
    return { words, settings, staff, role: session.role };
  }, [session, language, apiKey]);
  return (
    <PageContext.Provider value={{ words, settings, changeSettings, toast: showMessage }}>
      <OfflineBanner />
      {admin === null ? (
        <>
          <header class="bar">
            <span class="home">{words.title}</span>
            <span class="push" />
            <Appearance />
          </header>
          <SignIn words={words} accept={accept} />
        </>
      ) : (
        <AdminContext.Provider value={admin}>
          <AdminPage signOut={() => accept(null)} />
        </AdminContext.Provider>
      )}
      <div class="toast" role="status">
        {message && <p>{message}</p>}
      </div>
    </PageContext.Provider>
  );
}

const page = document.getElementById("page") as HTMLElement;
page.replaceChildren();
render(<Page />, page);
