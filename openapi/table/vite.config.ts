import { defineConfig } from "vite";

const MARK = "Built by `make table` from openapi/table; do not change it here.";

/** What is built ships with the service, which serves it at /play and /static/table: nothing here is hashed or absolute. */
export default defineConfig({
  base: "./",
  build: {
    outDir: "../../service/static/table",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    rollupOptions: {
      output: {
        entryFileNames: "table.js",
        chunkFileNames: "[name].js",
        assetFileNames: "table.[ext]",
        postBanner: `/*! ${MARK} */`,
      },
    },
  },
  experimental: { renderBuiltUrl: (filename) => `static/table/${filename}` },
  server: { proxy: { "/v1": "http://127.0.0.1:8000", "/docs": "http://127.0.0.1:8000" } },
});
