import { type Json, listed, type Result } from './results.ts';

/** A line for each item, before them what the answer says of all. */
export function itemsOf(body: Json, name: string): { items: Json[]; rest: string } {
  const { [name]: items, ...rest } = body;
  return { items: items as Json[], rest: JSON.stringify(rest) };
}

export const lineOf = (item: unknown): string => JSON.stringify(shortened(item));

/** Of a list that is asked for by pages. Where not all of a page fits, a smaller one has to be asked for. */
export const showPages =
  (name: string) =>
  (body: Json, { page = 1 }: Json): Result => {
    const { items, rest } = itemsOf(body, name);
    const { pagination } = body as { pagination: { total_pages: number } };
    const next = (shown: number) => {
      if (shown < items.length) return { limit: shown };
      return Number(page) < pagination.total_pages ? { page: Number(page) + 1 } : null;
    };
    return listed({ about: rest, lines: items.map(lineOf), next });
  };

/** Of a list that is asked for by the place where it begins. */
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

/** Of a text in a list its beginning has to do; the tool that reads the item has all of it. */
const longestText = 2000;

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestText) {
    return `${value.slice(0, longestText)} … (${value.length - longestText} more)`;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]));
}
