import type { Answer } from './attempt.ts';
import { type QueryValues, queryText } from './operation.ts';

/**
 * The first page as a promise, and all items of all pages as an async iterator. No request is sent before one of them
 * is used.
 */
export interface List<Item, Page> extends Promise<Page>, AsyncIterable<Item> {
  /** The pages, as the service returns them. */
  pages(): AsyncIterable<Page>;
}

type Listing = {
  /** The field of a page that holds its items. */
  items: string;
  hasOffset?: boolean;
  query: QueryValues;
  /** Requests one page. `query` begins with a question mark, or is empty. */
  ask(query: string): Promise<Answer>;
};

type PageBody = Record<string, unknown> & { total?: number; pagination?: { next?: string; has_more?: boolean } };

export function createList(listing: Listing): List<unknown, unknown> {
  let first: Promise<Answer> | undefined;
  const askFirst = () => {
    first ??= listing.ask(queryText(listing.query));
    return first;
  };

  async function* pages(): AsyncGenerator<PageBody> {
    let [answer, offset] = [await askFirst(), Number(listing.query.offset ?? 0)];
    for (;;) {
      const page = answer.body as PageBody;
      yield page;
      offset += itemsOf(page, listing.items).length;
      const next = nextQuery(listing, answer, offset);
      if (next === undefined) return;
      answer = await listing.ask(next);
    }
  }

  async function* items(): AsyncGenerator<unknown> {
    for await (const page of pages()) yield* itemsOf(page, listing.items);
  }

  const promise = async () => (await askFirst()).body;
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise, which sends its request when it is awaited.
    then: (done, failed) => promise().then(done, failed),
    catch: (failed) => promise().catch(failed),
    finally: (last) => promise().finally(last),
    [Symbol.toStringTag]: 'List',
    [Symbol.asyncIterator]: items,
    pages,
  };
}

const itemsOf = (page: PageBody, field: string): unknown[] => page[field] as unknown[];

/**
 * The query of the next page. Only the query of the link is used, because the credential must not be sent to another
 * address.
 */
function nextQuery(listing: Listing, { body, headers }: Answer, offset: number): string | undefined {
  const page = body as PageBody;
  const after = page.pagination?.next;
  if (after !== undefined) return page.pagination?.has_more ? queryText({ ...listing.query, after }) : undefined;
  if (listing.hasOffset) {
    const isLast = itemsOf(page, listing.items).length === 0 || offset >= (page.total ?? 0);
    return isLast ? undefined : queryText({ ...listing.query, offset });
  }
  const [, query] = /\?([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  return query === undefined ? undefined : `?${query}`;
}
