// What the pages can do beyond being read: search, send a request, remember the language of examples.

const search = document.getElementById("search");
if (search) {
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of document.querySelectorAll("[data-search]"))
      item.hidden = !words.every((word) => item.dataset.search.includes(word));
    let any = false;
    for (const section of document.querySelectorAll("section.found")) {
      section.hidden = !section.querySelector("[data-search]:not([hidden])");
      any ||= !section.hidden;
    }
    document.getElementById("deprecated").hidden = words.length > 0;
    document.getElementById("nothing").hidden = any;
  };
  search.value = new URLSearchParams(location.search).get("q") ?? search.value;
  search.addEventListener("input", filter);
  filter();
}

const LANGUAGE = "azul-pages-language";
const chosen = localStorage.getItem(LANGUAGE);
const radios = (value) => document.querySelectorAll(`.tabs input[value="${value}"]`);
if (chosen) for (const radio of radios(chosen)) radio.checked = true;
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs input")) return;
  localStorage.setItem(LANGUAGE, target.value);
  const before = target.getBoundingClientRect().top;
  for (const radio of radios(target.value)) radio.checked = true;
  scrollBy(0, target.getBoundingClientRect().top - before); // other tabs above may have grown
});

const form = document.getElementById("request-form");
if (form) {
  document.getElementById("needs-script").hidden = true;
  const fields = [...form.elements].filter((field) => field.name && field.name !== "stop");
  const keep = (field) => `azul-pages-${field.name}`;
  for (const field of fields) {
    const kept = sessionStorage.getItem(keep(field));
    if (kept && field.name !== "body") field.value = kept; // what was tried at another operation
  }

  const request = () => {
    let path = form.dataset.path;
    const query = new URLSearchParams();
    const headers = {};
    for (const { name, value, dataset } of fields) {
      if (dataset.place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
      if (!value) continue;
      if (dataset.place === "query") query.append(name, value);
      if (dataset.place === "header") headers[name] = value;
      if (name === "token") headers.Authorization = `Bearer ${value}`;
    }
    const body = form.elements.body?.value;
    if (body) headers["Content-Type"] = "application/json";
    const url = new URL(form.dataset.root + path.slice(1) + (query.size ? `?${query}` : ""), location.href);
    return { url, options: { method: form.dataset.method, headers, body } };
  };

  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const curl = ({ url, options: { method, headers, body } }) =>
    [
      `curl -X ${method} ${quoted(url.href)}`,
      ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
      ...(body ? [`  -d ${quoted(body)}`] : []),
    ].join(" \\\n");

  const output = form.querySelector("output");
  const part = (name) => output.querySelector(`.${name}`);
  const stop = form.elements.stop;
  let running;
  stop.addEventListener("click", () => running?.abort());

  const show = async (answer) => {
    part("status").textContent = `${answer.status} ${answer.statusText}`;
    part("headers").textContent = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    if (/json$/.test(answer.headers.get("Content-Type")?.split(";")[0] ?? "") && !/ndjson/.test(answer.headers.get("Content-Type"))) {
      const text = await answer.text();
      part("body").textContent = text && JSON.stringify(JSON.parse(text), null, 2);
      return;
    }
    for await (const chunk of read(answer.body?.pipeThrough(new TextDecoderStream()))) part("body").append(chunk);
  };

  async function* read(stream) {
    // a stream is not yet iterable everywhere
    const reader = stream?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader.read()) yield next.value;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    for (const field of fields) sessionStorage.setItem(keep(field), field.value);
    running?.abort();
    const mine = (running = new AbortController());
    const asked = request();
    for (const name of ["status", "headers", "body"]) part(name).textContent = "";
    part("curl").textContent = curl(asked);
    output.hidden = stop.hidden = false;
    try {
      await show(await fetch(asked.url, { ...asked.options, signal: mine.signal }));
    } catch (error) {
      if (!mine.signal.aborted) part("status").textContent = String(error);
    }
    if (mine === running) stop.hidden = true;
  });
}
