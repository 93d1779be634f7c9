/**
 * A switch over each union of the document. `tsc` rejects this file if a variant is added or removed.
 *
 * It is compiled with the types of each generator (`#schemas`). The functions return members that only one variant has,
 * so `tsc` also rejects generators that do not distinguish the variants.
 */
import type {
  Action,
  Choices,
  Components,
  Draw,
  Effect,
  Event,
  Notice,
  PlayerEvent,
  Position,
  StreamItem,
} from "#schemas";

function never(leaf: never): never {
  throw new Error(`an unknown leaf: ${JSON.stringify(leaf)}`);
}

export function ofAction(action: Action): unknown[] {
  switch (action.type) {
    case "azul.draft":
      return [action.colour, action.line, action.source];
    case "azul.tile":
      return [action.column, action.line];
    case "queens-garden.acquire":
      return [action.by, action.pieces, action.value];
    case "queens-garden.buy_expansion":
      return [action.area];
    case "queens-garden.pass":
      return [action.discard];
    case "queens-garden.place_expansion":
      return [action.area, action.hexagon, action.payment];
    case "queens-garden.place_tile":
      return [action.hexagon, action.payment, action.space];
    case "summer-pavilion.acquire":
      return [action.colour, action.source];
    case "summer-pavilion.pass":
      return [action.keep];
    case "summer-pavilion.place":
      return [action.colour, action.slot, action.star];
    case "summer-pavilion.take_bonus":
      return [action.colour];
    default:
      return never(action);
  }
}

export function ofDraw(draw: Draw): unknown[] {
  switch (draw.type) {
    case "azul.deal":
      return [draw.tiles];
    case "azul.first_seat":
      return [draw.seat];
    case "queens-garden.fill":
      return [draw.tiles];
    case "queens-garden.first_seat":
      return [draw.seat];
    case "queens-garden.turn":
      return [draw.faces];
    case "summer-pavilion.deal":
      return [draw.tiles];
    case "summer-pavilion.first_seat":
      return [draw.seat];
    case "summer-pavilion.refill":
      return [draw.tiles];
    default:
      return never(draw);
  }
}

export function ofEffect(effect: Effect): unknown[] {
  switch (effect.type) {
    case "azul.dealt":
      return [effect.box_lid_used, effect.factories];
    case "azul.end_bonus":
      return [effect.colours, effect.columns, effect.points];
    case "azul.first_seat_drawn":
      return [effect.seat];
    case "azul.floor_penalty":
      return [effect.points, effect.seat, effect.tiles];
    case "azul.game_ended":
      return [effect.reason];
    case "azul.line_fallen":
      return [effect.colour, effect.count, effect.line];
    case "azul.round_ended":
      return [effect.round];
    case "azul.start_token_taken":
      return [effect.seat];
    case "azul.tile_placed":
      return [effect.colour, effect.column, effect.line];
    case "azul.tiles_fallen":
      return [effect.colour, effect.count, effect.lost];
    case "azul.tiles_moved_to_centre":
      return [effect.tiles];
    case "azul.tiles_placed":
      return [effect.colour, effect.count, effect.line];
    case "azul.tiles_taken":
      return [effect.colour, effect.count, effect.seat];
    case "queens-garden.element_completed":
      return [effect.element, effect.jokers, effect.kind];
    case "queens-garden.expansion_bought":
      return [effect.area, effect.points, effect.seat];
    case "queens-garden.expansion_placed":
      return [effect.area, effect.hexagon, effect.payment];
    case "queens-garden.expansions_turned":
      return [effect.expansions];
    case "queens-garden.first_seat_drawn":
      return [effect.seat];
    case "queens-garden.game_ended":
      return [effect.type];
    case "queens-garden.groups_scored":
      return [effect.groups, effect.points, effect.seat];
    case "queens-garden.jokers_gained":
      return [effect.jokers, effect.lost, effect.seat];
    case "queens-garden.marker_taken":
      return [effect.points, effect.seat];
    case "queens-garden.passed":
      return [effect.discarded, effect.points, effect.seat];
    case "queens-garden.pieces_acquired":
      return [effect.by, effect.pieces, effect.seat];
    case "queens-garden.round_began":
      return [effect.round, effect.seat];
    case "queens-garden.round_ended":
      return [effect.round];
    case "queens-garden.round_scored":
      return [effect.pavilions, effect.points, effect.seat];
    case "queens-garden.stack_filled":
      return [effect.tiles, effect.tower_used];
    case "queens-garden.stack_spread":
      return [effect.numbers];
    case "queens-garden.storage_counted":
      return [effect.jokers, effect.points, effect.seat];
    case "queens-garden.tile_placed":
      return [effect.hexagon, effect.payment, effect.seat];
    case "queens-garden.top_moved_beside":
      return [effect.number, effect.tiles];
    case "summer-pavilion.bonus_owed":
      return [effect.seat, effect.tiles];
    case "summer-pavilion.bonus_taken":
      return [effect.colour, effect.owed, effect.seat];
    case "summer-pavilion.corners_returned":
      return [effect.seat, effect.tiles];
    case "summer-pavilion.dealt":
      return [effect.factories, effect.round, effect.supply];
    case "summer-pavilion.end_bonus":
      return [effect.numbers, effect.points, effect.seat];
    case "summer-pavilion.feature_surrounded":
      return [effect.feature, effect.seat, effect.tiles];
    case "summer-pavilion.first_seat_drawn":
      return [effect.seat];
    case "summer-pavilion.game_ended":
      return [effect.type];
    case "summer-pavilion.leftover_penalty":
      return [effect.points, effect.seat, effect.tiles];
    case "summer-pavilion.passed":
      return [effect.discarded, effect.kept, effect.points];
    case "summer-pavilion.play_began":
      return [effect.seat];
    case "summer-pavilion.round_ended":
      return [effect.round];
    case "summer-pavilion.start_token_taken":
      return [effect.points, effect.seat];
    case "summer-pavilion.supply_refilled":
      return [effect.tiles, effect.tower_used];
    case "summer-pavilion.tile_placed":
      return [effect.colour, effect.points, effect.seat];
    case "summer-pavilion.tiles_acquired":
      return [effect.colour, effect.count, effect.seat];
    case "summer-pavilion.tiles_moved_to_centre":
      return [effect.tiles];
    default:
      return never(effect);
  }
}

export function ofEvent(event: Event): unknown[] {
  switch (event.kind) {
    case "abort":
      return [event.kind];
    case "action":
      return [event.action];
    case "adjudication":
      return [event.result];
    case "answer":
      return [event.accept, event.offer];
    case "call_failed":
      return [event.reason, event.retry_at, event.rule];
    case "created":
      return [event.kind];
    case "draw":
      return [event.draw];
    case "hand_over":
      return [event.name];
    case "imported":
      return [event.source];
    case "join":
      return [event.name, event.player];
    case "offer":
      return [event.across_draw, event.offer_kind, event.seconds];
    case "pause":
      return [event.until];
    case "rematch":
      return [event.game_id];
    case "resignation":
      return [event.kind];
    case "resume":
      return [event.kind];
    case "start":
      return [event.filled];
    case "takeback":
      return [event.across_draw, event.to];
    case "timeout":
      return [event.then];
    default:
      return never(event);
  }
}

export function ofStreamItem(streamItem: StreamItem): unknown[] {
  switch (streamItem.kind) {
    case "abort":
      return [streamItem.kind];
    case "action":
      return [streamItem.action];
    case "adjudication":
      return [streamItem.result];
    case "answer":
      return [streamItem.accept, streamItem.offer];
    case "call_failed":
      return [streamItem.reason, streamItem.retry_at, streamItem.rule];
    case "created":
      return [streamItem.kind];
    case "draw":
      return [streamItem.draw];
    case "hand_over":
      return [streamItem.name];
    case "imported":
      return [streamItem.source];
    case "join":
      return [streamItem.name, streamItem.player];
    case "offer":
      return [streamItem.across_draw, streamItem.offer_kind, streamItem.seconds];
    case "pause":
      return [streamItem.until];
    case "rematch":
      return [streamItem.game_id];
    case "resignation":
      return [streamItem.kind];
    case "resume":
      return [streamItem.kind];
    case "snapshot":
      return [streamItem.game];
    case "start":
      return [streamItem.filled];
    case "takeback":
      return [streamItem.across_draw, streamItem.to];
    case "timeout":
      return [streamItem.then];
    default:
      return never(streamItem);
  }
}

export function ofPosition(position: Position): unknown[] {
  switch (position.ruleset) {
    case "azul":
      return [position.bag, position.box_lid, position.centre];
    case "queens-garden":
      return [position.bag, position.display, position.marker];
    case "summer-pavilion":
      return [position.bag, position.bonus_owed, position.centre];
    default:
      return never(position);
  }
}

export function ofChoices(choices: Choices): unknown[] {
  switch (choices.ruleset) {
    case "azul":
      return [choices.draft, choices.tile];
    case "queens-garden":
      return [choices.acquire, choices.buy_expansion, choices.expansion_spaces];
    case "summer-pavilion":
      return [choices.acquire, choices.pass, choices.place];
    default:
      return never(choices);
  }
}

export function ofComponents(components: Components): unknown[] {
  switch (components.ruleset) {
    case "azul":
      return [components.bonuses, components.colours, components.factories];
    case "queens-garden":
      return [components.geometry, components.group_bonuses, components.hexagons];
    case "summer-pavilion":
      return [components.boards, components.colours, components.corner_spaces];
    default:
      return never(components);
  }
}

export function ofNotice(notice: Notice): unknown[] {
  switch (notice.type) {
    case "challenge":
      return [notice.data, notice.timestamp];
    case "challenge_answered":
      return [notice.data, notice.timestamp];
    case "endpoint_disabled":
      return [notice.data, notice.timestamp];
    case "game_over":
      return [notice.data, notice.timestamp];
    case "game_started":
      return [notice.data, notice.timestamp];
    case "offer":
      return [notice.data, notice.timestamp];
    case "ping":
      return [notice.data, notice.timestamp];
    case "rematch":
      return [notice.data, notice.timestamp];
    case "rounds_changed":
      return [notice.data, notice.timestamp];
    case "seat_lost":
      return [notice.data, notice.timestamp];
    case "your_turn":
      return [notice.data, notice.timestamp];
    default:
      return never(notice);
  }
}

export function ofPlayerEvent(event: PlayerEvent): unknown[] {
  switch (event.kind) {
    case "challenge":
      return [event.challenge];
    case "game":
      return [event.revision, event.your_turn];
    case "game_left":
      return [event.game_id];
    case "standing":
      return [event.standing];
    default:
      return never(event);
  }
}
