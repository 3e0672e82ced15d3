import { expect, test } from 'vitest';
import { showPages } from './lists.ts';
import { maxBytes } from './results.ts';

test('an agent that follows a list of long items sees each item once, on every page', () => {
  const items = Array.from({ length: 100 }, (_, number) => ({ number, text: 'x'.repeat(1_900) }));
  let args: Record<string, unknown> = { page: 1, limit: 100 };
  const seen: number[] = [];
  for (let calls = 0; calls < 100; calls++) {
    const [page, limit] = [Number(args.page), Number(args.limit)];
    const data = items.slice((page - 1) * limit, page * limit);
    const pagination = { page, limit, total: items.length, total_pages: Math.ceil(items.length / limit) };
    const { content, _meta } = showPages('data')({ data, pagination }, args);
    const [{ text } = { text: '' }] = content;
    expect(Buffer.byteLength(text)).toBeLessThan(maxBytes + 1_000);
    seen.push(...text.matchAll(/"number":(\d+)/g).map(([, number]) => Number(number)));
    if (!_meta['bottega/next']) break;
    args = { ...args, ...(_meta['bottega/next'] as object) };
  }
  expect(seen).toEqual(items.map(({ number }) => number));
});
