// Search, example requests and the language of examples on documentation pages.
// Served without a build. `npm run check` checks its types and format.

/**
 * Return the elements of one type that a selector finds.
 * @template {Element} Kind
 * @param {new () => Kind} kind
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {Kind[]}
 */
const all = (kind, selector, within = document) =>
  [...within.querySelectorAll(selector)].filter(/** @returns {found is Kind} */ (found) => found instanceof kind);

/**
 * Return the first element that a selector finds, which must exist.
 * @param {string} selector
 * @param {ParentNode} [within]
 */
const one = (selector, within) => {
  const [found] = all(HTMLElement, selector, within);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
};

const [search] = all(HTMLInputElement, "#search");
if (search) {
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of all(HTMLElement, "[data-search]"))
      item.hidden = !words.every((word) => item.dataset["search"]?.includes(word));
    let any = false;
    for (const section of all(HTMLElement, "section.found")) {
      section.hidden = !section.querySelector("[data-search]:not([hidden])");
      any ||= !section.hidden;
    }
    one("#deprecated").hidden = words.length > 0;
    one("#nothing").hidden = any;
  };
  search.value = new URLSearchParams(location.search).get("q") ?? search.value;
  search.addEventListener("input", filter);
  filter();
}

const LANGUAGE = "azul-pages-language";
const chosen = localStorage.getItem(LANGUAGE);
/** @param {string} language */
const choose = (language) => {
  for (const radio of all(HTMLInputElement, `.tabs input[value="${language}"]`)) radio.checked = true;
};
if (chosen) choose(chosen);
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches(".tabs input"))) return;
  localStorage.setItem(LANGUAGE, target.value);
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  scrollBy(0, target.getBoundingClientRect().top - before); // other tabs above may have grown
});

const [form] = all(HTMLFormElement, "#request-form");
if (form) {
  one("#needs-script").hidden = true;
  const fields = [...form.elements].filter(
    (field) =>
      field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement,
  );
  /** @param {{ name: string }} field */
  const keep = (field) => `azul-pages-${field.name}`;
  for (const field of fields) {
    const kept = sessionStorage.getItem(keep(field));
    if (kept && field.name !== "body") field.value = kept; // the value that was sent to another operation
  }

  const request = () => {
    let { path = "" } = form.dataset;
    const { root = "", method = "GET" } = form.dataset;
    const query = new URLSearchParams();
    /** @type {Record<string, string>} */
    const headers = {};
    for (const { name, value, dataset } of fields) {
      const place = dataset["place"];
      if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
      if (!value) continue;
      if (place === "query") query.append(name, value);
      if (place === "header") headers[name] = value;
      if (name === "token") headers["Authorization"] = `Bearer ${value}`;
    }
    const body = fields.find((field) => field.name === "body")?.value;
    if (body) headers["Content-Type"] = "application/json";
    const url = new URL(root + path.slice(1) + (query.size ? `?${query}` : ""), location.href);
    return { url, method, headers, body };
  };

  /** @param {string} text */
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  /** @param {ReturnType<typeof request>} asked */
  const curl = ({ url, method, headers, body }) =>
    [
      `curl -X ${method} ${quoted(url.href)}`,
      ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
      ...(body ? [`  -d ${quoted(body)}`] : []),
    ].join(" \\\n");

  const output = one("output", form);
  /** @param {string} name */
  const part = (name) => one(`.${name}`, output);
  const stop = one("[name=stop]", form);
  /** @type {AbortController | undefined} */
  let running;
  stop.addEventListener("click", () => running?.abort());

  /** @param {Response} answer */
  const show = async (answer) => {
    part("status").textContent = `${answer.status} ${answer.statusText}`;
    part("headers").textContent = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    const type = answer.headers.get("Content-Type")?.split(";")[0] ?? "";
    if (/json$/.test(type) && !/ndjson/.test(type)) {
      const text = await answer.text();
      part("body").textContent = text && JSON.stringify(JSON.parse(text), null, 2);
      return;
    }
    // some browsers cannot iterate over a stream
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      part("body").append(next.value);
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    for (const field of fields) sessionStorage.setItem(keep(field), field.value);
    running?.abort();
    const mine = (running = new AbortController());
    const { url, method, headers, body } = request();
    for (const name of ["status", "headers", "body"]) part(name).textContent = "";
    part("curl").textContent = curl({ url, method, headers, body });
    output.hidden = stop.hidden = false;
    try {
      await show(await fetch(url, { method, headers, body: body ?? null, signal: mine.signal }));
    } catch (error) {
      if (!mine.signal.aborted) part("status").textContent = String(error);
    }
    if (mine === running) stop.hidden = true;
  });
}
