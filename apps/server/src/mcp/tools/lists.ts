import { type Json, listed, type Result } from './results.ts';

/** The items, one line each, and the other fields of the response, which are shown before the items. */
export function itemsOf(body: Json, name: string): { items: Json[]; rest: string } {
  const { [name]: items, ...rest } = body;
  return { items: items as Json[], rest: JSON.stringify(rest) };
}

export const lineOf = (item: unknown): string => JSON.stringify(shortened(item));

/** Shows a paginated list. If a page does not fit, the next page is a smaller one that begins where this one was cut. */
export const showPages =
  (name: string) =>
  (body: Json, { page = 1 }: Json): Result => {
    const { items, rest } = itemsOf(body, name);
    const { pagination } = body as { pagination: { limit: number; total_pages: number } };
    const next = (shown: number) => {
      if (shown === items.length) return Number(page) < pagination.total_pages ? { page: Number(page) + 1 } : null;
      const reached = (Number(page) - 1) * pagination.limit + shown;
      let limit = shown;
      while (reached % limit > 0) limit -= 1;
      return { page: reached / limit + 1, limit };
    };
    return listed({ about: rest, lines: items.map(lineOf), next });
  };

/** Shows a list that is requested by offset. */
export const showFromOffset =
  (name: string) =>
  (body: Json, { offset = 0 }: Json): Result => {
    const { items, rest } = itemsOf(body, name);
    const { total } = body as { total: number };
    const next = (shown: number) => {
      const reached = Number(offset) + shown;
      return shown > 0 && reached < total ? { offset: reached } : null;
    };
    return listed({ about: rest, lines: items.map(lineOf), next });
  };

/** Longest text that is shown for an item of a list. The tool that reads the item shows all of it. */
const longestText = 2000;

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestText) {
    return `${value.slice(0, longestText)} … (${value.length - longestText} more)`;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]));
}
