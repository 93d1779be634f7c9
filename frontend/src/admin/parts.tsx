/** Parts of several sections. */
import { Search } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "../parts/design/icon";
import { formatMoment } from "../parts/player_link";
import { rulesetTitle } from "../rulesets/titles";
import { errorText } from "../shared/context";
import { type Loaded, useLoaded } from "../shared/fetching";
import { useAdmin } from "./context";
import { address } from "./route";
import type { AdminWords } from "./words/en";

/** The heading of a section, with buttons beside it. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="heading">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <div class="tools">{children}</div>}
    </div>
  );
}

/** A time in the reader's zone. */
export function When({ at }: { at: string }) {
  const { settings } = useAdmin();
  return <time dateTime={at}>{formatMoment(at, settings.language)}</time>;
}

/** The end of something. */
export function Until({ at }: { at: string }) {
  const { words } = useAdmin();
  return (
    <span>
      {words.until} <When at={at} />
    </span>
  );
}

/** A state in one word. `tone`: its colour. */
export function Badge({ children, tone }: { children: ComponentChildren; tone?: "good" | "bad" | "turn" }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}

/** A link to a player's page, or a note that there is none. */
export function PlayerRef({ id, name }: { id: string | null; name?: string | null }) {
  const { words } = useAdmin();
  if (id === null) return <span class="note">{words.deletedPlayer}</span>;
  return <a href={address("players", id)}>{name ?? <code>{id}</code>}</a>;
}

interface SearchFieldProps {
  label: string;
  value: string;
  change: (text: string) => void;
}

export function SearchField({ label, value, change }: SearchFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}

/** A search field with the button that submits its form. */
export function SearchLine(props: SearchFieldProps) {
  const { words } = useAdmin();
  return (
    <div class="line">
      <SearchField {...props} />
      <button class="primary" aria-label={words.find}>
        <Icon icon={Search} />
      </button>
    </div>
  );
}

/** Names and their values, side by side on wide screens. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Ids such as `exclude_from_rated`, as words. */
export const asWords = (id: string): string => {
  const words = id.replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Return ruleset and side of a game, such as `Azul, coloured side`. */
export const gameTitle = ({ ruleset, variant }: { ruleset: string; variant: string }, words: AdminWords): string =>
  `${rulesetTitle(ruleset, words.lang)}, ${words.sides[variant] ?? variant}`;

/** Return ruleset and number of players of a rating, such as `Summer Pavilion, 2 players`. */
export const ratingTitle = (
  { ruleset, seats }: { ruleset: string; seats: keyof AdminWords["ratingSeats"] },
  words: AdminWords,
): string => `${rulesetTitle(ruleset, words.lang)}, ${words.ratingSeats[seats]}`;

/** A note while something is loaded, or the error of the last request. */
export function LoadingNote({ value, error }: Pick<Loaded<unknown>, "value" | "error">) {
  const { words } = useAdmin();
  if (error !== null)
    return (
      <p class="card" role="alert">
        {errorText(error, words)}
      </p>
    );
  return value === null ? <p class="card note">{words.loading}</p> : null;
}

export interface PageOf<Item> {
  items: readonly Item[];
  /** Where the next page begins; null after the last one. */
  next: string | number | null;
}

export interface Pages<Item> {
  items: readonly Item[] | null;
  error: unknown;
  /** Load the next page; null after the last one. */
  more: (() => void) | null;
  /** Load the first page again. */
  reload: () => Promise<void>;
}

/** Return a list that is loaded page by page. `useLoaded` loads its first page. */
export function usePages<Item>(
  fetchPage: (next?: string | number) => Promise<PageOf<Item>>,
  dependencies: readonly unknown[],
  refreshMs: number | null = null,
): Pages<Item> {
  const { value, error, reload, show } = useLoaded(() => fetchPage(), dependencies, { refreshMs, isCleared: true });
  const fetchMore = async ({ items, next }: PageOf<Item>) => {
    const after = await fetchPage(next ?? undefined);
    return { items: [...items, ...after.items], next: after.next };
  };
  return {
    items: value?.items ?? null,
    error,
    more: value !== null && value.next !== null ? () => show(fetchMore(value)) : null,
    reload,
  };
}

/** The items of a list, or why there are none. */
export function PagedList<Item>({
  pages: { items, error, more },
  empty,
  keyOf,
  children,
}: {
  pages: Omit<Pages<Item>, "reload">;
  empty: string;
  keyOf: (item: Item) => string;
  children: (item: Item) => ComponentChildren;
}) {
  const { words } = useAdmin();
  return (
    <section class="card" aria-busy={items === null && error === null}>
      {error !== null && <p role="alert">{errorText(error, words)}</p>}
      {items === null && error === null && <p class="note">{words.loading}</p>}
      {items?.length === 0 && <p class="note">{empty}</p>}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map((item) => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </ul>
      )}
      {more && <button onClick={more}>{words.more}</button>}
    </section>
  );
}
