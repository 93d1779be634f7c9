import { describe, expect, test } from "vitest";
import { routeOf, to } from "../src/shared/route";

const ID = "AAAAAAAAAAAAAAAA";

describe("the address of a page", () => {
  test("leads to that page", () => {
    expect(routeOf(to.home)).toEqual({ page: "home" });
    expect(routeOf(to.lobby)).toEqual({ page: "lobby" });
    expect(routeOf(to.me)).toEqual({ page: "me" });
    expect(routeOf(to.leaders("azul", "two"))).toEqual({ page: "leaders", ruleset: "azul", seats: "two" });
    expect(routeOf(to.player(ID))).toEqual({ page: "player", id: ID });
    expect(routeOf(to.competitions)).toEqual({ page: "competitions" });
    expect(routeOf(to.competition(ID))).toEqual({ page: "competition", id: ID });
    expect(routeOf(to.game(ID))).toEqual({ page: "game", id: ID });
  });

  test("may carry tokens, which are no part of the id", () => {
    expect(routeOf(`#/${ID}?invite=secret`)).toEqual({ page: "game", id: ID });
    expect(routeOf(`#/competition/${ID}?invitation=secret`)).toEqual({ page: "competition", id: ID });
  });

  test.each(["#/competition", "#/competition/"])("without an id leads to the list of competitions: %s", (hash) => {
    expect(routeOf(hash)).toEqual({ page: "competitions" });
  });

  test.each(["#/player", "#/player/"])("without an id leads to the leaderboard: %s", (hash) => {
    expect(routeOf(hash)).toEqual({ page: "leaders", ruleset: undefined, seats: undefined });
  });

  test.each(["", "#", "#/", "#/<script>"])("that names nothing leads to the first page: %s", (hash) => {
    expect(routeOf(hash)).toEqual({ page: "home" });
  });
});
