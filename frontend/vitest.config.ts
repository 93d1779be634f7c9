import { defineConfig } from "vitest/config";

/** Tests of the table's logic. One thread and one module graph: most of the time goes into loading modules. */
export default defineConfig({
  test: {
    include: [process.env["RECORD"] ? "test/record.ts" : "test/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://table.test/play" } },
    pool: "threads",
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000, // against hangs only
    hookTimeout: 300_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
