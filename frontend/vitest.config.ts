import { defaultClientConditions } from "vite";
import { defineConfig } from "vitest/config";

/** Unit tests run in one thread with one module graph, because loading modules takes most of the time. */
export default defineConfig({
  resolve: { conditions: ["source", ...defaultClientConditions] },
  test: {
    include: [process.env["RECORD"] ? "test/record.ts" : "test/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://table.test/play" } },
    pool: "threads",
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000, // only to detect hangs
    hookTimeout: 300_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
