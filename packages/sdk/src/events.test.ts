import { expect, test } from 'vitest';
import { Bottega } from './index.ts';
import { json, refusal, scriptedFetch } from './testing/scripted-fetch.ts';

const clientOf = (fetch: typeof globalThis.fetch) => new Bottega({ baseUrl: 'http://bottega.test', fetch });
const happened = (cursor: string, id: string) =>
  `id: ${cursor}\ndata: ${JSON.stringify({ id, event: 'file.updated' })}\n\n`;
const stream = (text: string) =>
  new Response(`retry: 1\n\n${text}`, { headers: { 'content-type': 'text/event-stream' } });

test('a subscription continues after its last event, and knows its cursor', async () => {
  const fetch = scriptedFetch(
    stream(`${happened('c1', 'evt_1')}${happened('c2', 'evt_2')}id: c2b\n\n`),
    stream(happened('c3', 'evt_3')),
  );
  const subscription = clientOf(fetch).events.subscribe({
    types: ['file.*', 'project.created'],
    projectId: 'prj_1',
    after: 'c0',
  });
  expect(subscription.cursor).toBe('c0');
  const seen: unknown[] = [];
  for await (const event of subscription) {
    seen.push([event.id, subscription.cursor]);
    if (event.id === 'evt_3') break;
  }
  expect(seen).toEqual([
    ['evt_1', 'c1'],
    ['evt_2', 'c2'],
    ['evt_3', 'c3'],
  ]);
  expect(fetch.requests.map(({ headers }) => headers.get('last-event-id'))).toEqual(['c0', 'c2b']);
  expect(fetch.requests[1]?.url).toBe('http://bottega.test/v1/events?project_id=prj_1&types=file.*%2Cproject.created');
});

test('a cursor whose events are no longer kept causes an error', async () => {
  const subscription = clientOf(scriptedFetch(refusal(410, 'NOT_FOUND'))).events.subscribe({ after: 'old' });
  await expect(subscription[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 410 });
});

test('a list continues as long as there may be more, even after an empty page', async () => {
  const page = (data: object[], next: string, has_more: boolean) =>
    json({ data, pagination: { limit: 1, has_more, next } });
  const fetch = scriptedFetch(
    page([{ id: 'evt_1' }], 'c1', true),
    page([], 'c2', true),
    page([{ id: 'evt_2' }], 'c3', false),
  );
  const ids: string[] = [];
  for await (const { id } of clientOf(fetch).events.list({ format: 'core', limit: 1 })) ids.push(id);
  expect(ids).toEqual(['evt_1', 'evt_2']);
  expect(fetch.requests.at(-1)?.url).toBe('http://bottega.test/v1/events?format=core&limit=1&after=c2');
});
