/** The page of a game before its start: take a seat, invite players, start the game. */
import { unwrap } from "@azul-games/client";
import { arrivals } from "../game/live";
import type { SeatClaiming } from "../game/local_seats";
import { nameOf, type PlayingProps } from "../game/players";
import { Button } from "../parts/design/button";
import { NameField, ownName } from "../parts/name_field";
import { Avatar } from "../parts/player_link";
import { rulesetTexts } from "../rulesets/registry";
import { bearerHeader } from "../shared/client";
import { usePageContext } from "../shared/context";
import { storedGame } from "../shared/store";
import { Share } from "./panels";
import type { ViewedGame } from "./side_panel";

export function Lobby({
  client,
  game,
  events,
  seats,
  claim,
  isClaiming,
  reportErrors,
}: PlayingProps & SeatClaiming & Pick<ViewedGame, "events">) {
  const { words, settings, me } = usePageContext();
  const { host, invite } = storedGame(game.id);
  // The host's seat is taken when the game is created; guests arrive later.
  const hostSeat = game.seats.findIndex(({ kind }, seat) => kind === "player" && arrivals(events, seat).length === 0);
  const start = async () =>
    unwrap(
      await client.POST("/v1/games/{game_id}/start", {
        params: { path: { game_id: game.id } },
        headers: bearerHeader(host),
        body: { revision: game.revision },
      }),
    );
  return (
    <section class="lobby card">
      <h2>{words.waiting}</h2>
      {seats.length === 0 && (
        <>
          {!host && hostSeat >= 0 && (
            <p class="inviter">
              <Avatar name={nameOf(game, hostSeat, words)} seat={hostSeat} />
              {words.sharing.invitedBy(nameOf(game, hostSeat, words), rulesetTexts(game.ruleset, words).name)}
            </p>
          )}
          <NameField />
          <Button
            class="primary"
            whyNot={isClaiming && words.busy}
            onClick={() => reportErrors(claim({ name: ownName(settings, me) || null, token: invite ?? null }))}
          >
            {words.takeSeat}
          </Button>
        </>
      )}
      <Share game={game} />
      {host && <button onClick={() => reportErrors(start())}>{words.start}</button>}
    </section>
  );
}
