// A table that follows its game, for a frame in another page: /embed/GAME?theme=dark&layout=narrow#WATCH-TOKEN
// The token is for a private game. Served without a build. `npm run check` checks its types and format.

const LONGEST_WAIT_S = 50;
const AGAIN_S = [1, 2, 5, 15, 60];
const NARROW_PX = 560;
const OVER = ["finished", "aborted"];

const address = new URL(location.href);
const game = `../v1/games/${address.pathname.split("/").at(-1)}`;
const token = address.hash.slice(1);
const theme = address.searchParams.get("theme") ?? "auto";

/** @param {number} seconds */
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/**
 * @param {string} path
 * @param {Record<string, string>} [headers]
 */
const get = (path, headers = {}) =>
  fetch(path, { headers: token ? { ...headers, Authorization: `Bearer ${token}` } : headers });

/** @param {string} text */
function say(text) {
  const line = document.createElement("p");
  line.setAttribute("role", "status");
  line.textContent = text;
  document.body.replaceChildren(line);
}

/** @param {number} revision */
async function draw(revision) {
  const wanted = new URLSearchParams({ revision: `${revision}`, theme });
  wanted.set("layout", address.searchParams.get("layout") ?? (innerWidth < NARROW_PX ? "narrow" : "wide"));
  const answer = await get(`${game}/board.svg?${wanted}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  document.body.replaceChildren(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
}

async function follow() {
  let [etag, failures] = ["", 0];
  for (;;) {
    try {
      const answer = await (etag ? get(`${game}?wait=${LONGEST_WAIT_S}`, { "If-None-Match": etag }) : get(game));
      if (answer.ok) {
        const view = await answer.json();
        await draw(view.revision);
        etag = answer.headers.get("ETag") ?? "";
        if (OVER.includes(view.status)) return;
      } else if (answer.status !== 304) {
        const problem = await answer.json();
        if (answer.status < 500 && answer.status !== 429) {
          say(problem.detail ?? problem.title);
          return;
        }
        throw new Error(problem.code);
      }
      failures = 0;
    } catch {
      await pause(AGAIN_S[Math.min(failures++, AGAIN_S.length - 1)] ?? 1);
    }
  }
}

document.documentElement.style.colorScheme = { auto: "light dark", dark: "dark" }[theme] ?? "light";
void follow();
