import { readFileSync } from "node:fs";
import { defaultClientConditions, defineConfig, type Plugin, transformWithOxc } from "vite";

const MARK = "Built by `make table` from frontend; do not change it here.";

const FONTS = new URL("../service/static/design/fonts.css", import.meta.url);

/** Inlines styles, typeface and start.js into the page, so that the browser can paint the first response. */
const paintable: Plugin = {
  name: "paintable",
  transformIndexHtml: {
    order: "post",
    async handler(html, { bundle }) {
      const start = readFileSync(new URL("start.js", import.meta.url), "utf8");
      const { code } = await transformWithOxc(start, "start.js", {});
      const fonts = readFileSync(FONTS, "utf8").replaceAll('url("', 'url("static/design/');
      const started = html
        .replace("<!-- fonts.css -->", () => `<style>${fonts}</style>`)
        .replace("<!-- start.js -->", () => `<script>{\n${code}}</script>`);
      const styles = bundle?.["table.css"];
      if (styles?.type !== "asset") return started;
      delete bundle?.["table.css"];
      return started.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles.source}</style>`);
    },
  },
};

/**
 * The service serves the build at /play and /static/table. File names are not hashed: the service adds a version to the
 * addresses (`service/web/docs/static_files.py`).
 */
export default defineConfig(({ mode }) => ({
  base: "./",
  plugins: [paintable],
  resolve: { conditions: ["source", ...defaultClientConditions] }, // of @azul-games/client, without a build
  build: {
    outDir: "../service/static/table",
    emptyOutDir: mode !== "admin", // its files lie beside the table's
    target: "es2022",
    ...(mode === "components" && { cssTarget: "esnext" }), // light-dark() for parts of a page
    modulePreload: false, // start.js preloads chunks
    cssCodeSplit: false,
    rollupOptions: {
      ...(mode === "components" && { input: "components.html" }), // for tests, into another folder
      ...(mode === "admin" && { input: "admin.html" }), // shares no chunk with the table
      output: {
        entryFileNames: mode === "admin" ? "admin.js" : "table.js",
        chunkFileNames: "[name].js",
        assetFileNames: "table.[ext]",
        postBanner: `/*! ${MARK} */`,
      },
    },
  },
  experimental: { renderBuiltUrl: (filename) => `static/table/${filename}` },
  server: { proxy: Object.fromEntries(["/v1", "/docs", "/static"].map((path) => [path, "http://127.0.0.1:8000"])) },
}));
