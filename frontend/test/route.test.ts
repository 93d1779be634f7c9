import { describe, expect, test } from "vitest";
import { links, parseRoute } from "../src/shared/route";

const ID = "AAAAAAAAAAAAAAAA";

describe("routes", () => {
  test("links lead to their pages", () => {
    expect(parseRoute(links.home)).toEqual({ page: "home" });
    expect(parseRoute(links.lobby)).toEqual({ page: "lobby" });
    expect(parseRoute(links.me)).toEqual({ page: "me" });
    expect(parseRoute(links.leaders())).toEqual({ page: "leaders", ruleset: undefined, seats: undefined });
    expect(parseRoute(links.leaders("azul", "two"))).toEqual({ page: "leaders", ruleset: "azul", seats: "two" });
    expect(parseRoute(links.player(ID))).toEqual({ page: "player", id: ID });
    expect(parseRoute(links.competitions)).toEqual({ page: "competitions" });
    expect(parseRoute(links.competition(ID))).toEqual({ page: "competition", id: ID });
    expect(parseRoute(links.puzzle())).toEqual({ page: "puzzles", id: undefined });
    expect(parseRoute(links.puzzle("daily"))).toEqual({ page: "puzzles", id: "daily" });
    expect(parseRoute(links.game(ID))).toEqual({ page: "game", id: ID });
    expect(parseRoute(links.mistakes(ID))).toEqual({ page: "mistakes", id: ID });
  });

  test("parameters are not part of the id", () => {
    expect(parseRoute(`#/${ID}?watch=a%2Fb`)).toEqual({ page: "game", id: ID });
    expect(parseRoute(`#/${ID}?invite=secret`)).toEqual({ page: "game", id: ID });
    expect(parseRoute(`#/competition/${ID}?invitation=secret`)).toEqual({ page: "competition", id: ID });
  });

  test.each(["#/competition", "#/competition/"])("a competition without id leads to the list: %s", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "competitions" });
  });

  test.each(["#/player", "#/player/"])("a player without id leads to the leaderboard: %s", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "leaders", ruleset: undefined, seats: undefined });
  });

  test.each(["", "#", "#/", "#/<script>", "#/<b>", "#//lobby"])(
    "an unknown address leads to the start page: %s",
    (hash) => {
      expect(parseRoute(hash)).toEqual({ page: "home" });
    },
  );
});
