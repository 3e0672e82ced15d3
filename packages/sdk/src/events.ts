import { follow } from './following.ts';
import type { CoreEvent, GuideEvent, ReferenceEvent } from './generated/events.ts';
import { createList, type List } from './list.ts';
import { queryText } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

type EventFormats = { core: CoreEvent; reference: ReferenceEvent; guide: GuideEvent };
export type EventFormat = keyof EventFormats;

export type EventFilter<Format extends EventFormat = EventFormat> = {
  /** Names such as `file.updated`, prefixes such as `file.*`, or `*`. Default: all events that you may read. */
  types?: readonly string[] | string | undefined;
  /** Only events of this project. */
  projectId?: string | undefined;
  /** Only file events whose path matches, such as `/src/**\/*.ts`. */
  path?: string | undefined;
  /** The shape of the events, as for a webhook. Default: `core`. */
  format?: Format | undefined;
  /** A cursor: only events after it. */
  after?: string | undefined;
};

export type EventPage<Event> = {
  data: Event[];
  pagination: {
    limit: number;
    has_more: boolean;
    /** The value of `after` for the next page, now or later. */
    next: string;
  };
};

export interface Subscription<Event> extends AsyncIterable<Event> {
  /**
   * The position after the last returned event. Store it, and pass it as `after` to continue there with another
   * subscription.
   */
  readonly cursor: string | undefined;
}

export interface Events {
  /**
   * Your events, oldest first; without `after` from the oldest that is kept.
   *
   * `GET /events`
   */
  list<Format extends EventFormat = 'core'>(
    filter?: EventFilter<Format> & { limit?: number | undefined },
    options?: CallOptions,
  ): List<EventFormats[Format], EventPage<EventFormats[Format]>>;
  /**
   * Your events as they happen; without `after` from now on. It continues after lost connections and misses nothing
   * while events are kept. An older cursor is an error with status 410.
   */
  subscribe<Format extends EventFormat = 'core'>(
    filter?: EventFilter<Format>,
    options?: CallOptions,
  ): Subscription<EventFormats[Format]>;
}

export function createEvents(transport: Transport): Events {
  return {
    list: (filter, options) => {
      const ask = (query: string) => transport.send({ method: 'GET', path: `/events${query}`, read: 'json' }, options);
      return createList({ items: 'data', query: queryOf(filter), ask }) as never;
    },
    subscribe: (filter, options) => subscribe(transport, filter, options) as never,
  };
}

function subscribe(transport: Transport, filter: EventFilter = {}, options?: CallOptions): Subscription<unknown> {
  const { after, ...query } = queryOf(filter);
  let cursor = after;
  return {
    get cursor() {
      return cursor;
    },
    async *[Symbol.asyncIterator]() {
      const path = `/events${queryText(query)}`;
      const onId = (id: string) => {
        cursor = id;
      };
      for await (const { data } of follow(transport, { path, after: cursor, onId, options })) yield JSON.parse(data);
    },
  };
}

function queryOf({ projectId, types, ...filter }: EventFilter & { limit?: number | undefined } = {}) {
  return { ...filter, project_id: projectId, types: typeof types === 'object' ? types.join(',') : types };
}
