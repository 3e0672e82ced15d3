import { describe, expect, test } from 'vitest';
import { readEvents } from './event-stream.ts';
import { Bottega, type LogEntry } from './index.ts';
import { json, lostConnection, refusal, scriptedFetch } from './testing/scripted-fetch.ts';

const ids = { project_id: 'prj_1', id: 'dep_1' };
const clientOf = (fetch: typeof globalThis.fetch) => new Bottega({ baseUrl: 'http://bottega.test', fetch });
const line = (seq: number) => `id: ${seq}\nevent: log\ndata: {"seq":${seq}}\n\n`;
const end = 'event: end\ndata: {"status":"success"}\n\n';

/** Sends this text and then ends, or breaks. */
function stream(text: string, then: 'ends' | 'breaks' = 'ends'): Response {
  const chunks = [new TextEncoder().encode(`retry: 1\n\n${text}`)];
  const body = new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else if (then === 'ends') controller.close();
      else controller.error(lostConnection());
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

async function seqsOf(lines: AsyncIterable<LogEntry>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of lines) seqs.push(seq);
  return seqs;
}

describe('following a log', () => {
  test('continues after the last line whenever the connection is lost, and ends with the deployment', async () => {
    const fetch = scriptedFetch(
      stream(line(1) + line(2), 'breaks'),
      lostConnection(),
      stream(`${line(3)}id: 4\nevent: log\ndata: {"se`, 'ends'),
      stream(line(4) + end),
    );
    expect(await seqsOf(clientOf(fetch).deployments.followLogs(ids))).toEqual([1, 2, 3, 4]);
    expect(fetch.requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '2', '2', '3']);
    expect(fetch.requests[0]?.headers.get('accept')).toBe('text/event-stream');
  });

  test('returns the final status of the deployment', async () => {
    const log = clientOf(scriptedFetch(stream(end))).deployments.followLogs(ids);
    expect(await log.next()).toEqual({ done: true, value: 'success' });
  });

  test('of a check returns its conclusion', async () => {
    const fetch = scriptedFetch(stream(`${line(1)}event: end\ndata: {"conclusion":"failure"}\n\n`));
    const log = clientOf(fetch).checks.followLogs({ project_id: 'prj_1', id: 'chk_1' }, { after: 7 });
    expect((await log.next()).value).toMatchObject({ seq: 1 });
    expect(await log.next()).toEqual({ done: true, value: 'failure' });
    expect(fetch.requests[0]?.url).toMatch(/\/projects\/prj_1\/checks\/chk_1\/logs\?after=7$/);
  });

  test('throws errors that will not pass by themselves', async () => {
    const fetch = scriptedFetch(stream(line(1)), refusal(404, 'NOT_FOUND'));
    await expect(seqsOf(clientOf(fetch).deployments.followLogs(ids))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const other = clientOf(scriptedFetch(json({ logs: [] }))).deployments.followLogs(ids);
    await expect(seqsOf(other)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });

  test('closes the connection when the caller stops', async () => {
    let isCanceled = false;
    const open = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(line(1))),
      cancel() {
        isCanceled = true;
      },
    });
    const fetch = scriptedFetch(new Response(open, { headers: { 'content-type': 'text/event-stream' } }));
    for await (const _ of clientOf(fetch).deployments.followLogs(ids)) break;
    expect(isCanceled).toBe(true);
  });

  test('ends when the caller aborts, also between two connections', async () => {
    const ending = new AbortController();
    const fetch = scriptedFetch(() => {
      setTimeout(() => ending.abort(), 20);
      return new Response('retry: 60000\n\n', { headers: { 'content-type': 'text/event-stream' } });
    });
    const log = clientOf(fetch).deployments.followLogs(ids, { signal: ending.signal });
    await expect(seqsOf(log)).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

test('waiting for a deployment requests no line of its log, and reads the deployment once it has ended', async () => {
  const fetch = scriptedFetch(stream(end), json({ id: 'dep_1', status: 'success' }));
  expect(await clientOf(fetch).deployments.waitFor(ids)).toEqual({ id: 'dep_1', status: 'success' });
  expect(fetch.requests[0]?.url).toContain('/logs?after=2147483647');
});

describe('a stream of events', () => {
  async function read(chunks: string[], silence = 1000) {
    const [retries, ids]: [number[], string[]] = [[], []];
    const body = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
    const events = [];
    for await (const event of readEvents(body, {
      silence,
      onId: (id) => ids.push(id),
      onRetry: (value) => retries.push(value),
    }))
      events.push(event);
    return { events, retries, ids };
  }

  test('is read according to the standard, wherever it is cut', async () => {
    const text =
      ': hello\r\nid: 1\rdata: a\r\ndata:b\n\nevent: x\ndata\n\nid\ndata: 🐙: c\n\nretry: 5\nfoo: bar\n\nevent: y\n\ndata: cut';
    const expected = [
      { event: 'message', data: 'a\nb' },
      { event: 'x', data: '' },
      { event: 'message', data: '🐙: c' },
    ];
    expect(await read([text])).toEqual({ events: expected, retries: [5], ids: ['1', '1'] });
    expect(await read([...text])).toEqual({ events: expected, retries: [5], ids: ['1', '1'] });
  });

  test.each([
    ['a line', 'data: ', 'x'.repeat(2 ** 20)],
    ['an event', '', `data: ${'x'.repeat(2 ** 20)}\n`],
  ])('with %s that has no end is given up before it fills the memory', async (_what, first, more) => {
    const endless = function* () {
      yield first;
      for (let sent = 0; ; sent += 1) {
        if (sent > 64) throw new Error('it reads on');
        yield more;
      }
    };
    const body = ReadableStream.from(endless()).pipeThrough(new TextEncoderStream());
    const events = readEvents(body, { silence: 10_000, onId: () => undefined, onRetry: () => undefined });
    await expect(events.next()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });

  test('that sends nothing for too long counts as lost', async () => {
    const silent = new ReadableStream<Uint8Array>({});
    const events = readEvents(silent, { silence: 10, onId: () => undefined, onRetry: () => undefined });
    await expect(events.next()).rejects.toThrow('no data for 10 ms');
  });
});

test('a subscription whose connections end without events does not wait longer each time', async () => {
  const quiet = Array.from({ length: 40 }, (_, at) => stream(`id: cursor-${at}\n\n`));
  const fetch = scriptedFetch(...quiet, stream('id: last\ndata: {"id":"evt_1"}\n\n'));
  const events = clientOf(fetch).events.subscribe();
  expect(await events[Symbol.asyncIterator]().next()).toMatchObject({ value: { id: 'evt_1' } });
  expect(fetch.requests.at(-1)?.headers.get('last-event-id')).toBe('cursor-39');
});

describe('following the output of a command', () => {
  const workspace = { project_id: 'prj_1', id: 'wks_1' };
  const piece = (position: number, text: string) =>
    `id: ${position}\nevent: output\ndata: {"stream":"stdout","text":"${text}"}\n\n`;
  const over = 'event: end\ndata: {"id":"cmd_1","exit_code":3}\n\n';

  test('continues after the last piece when the connection is lost, and returns the command', async () => {
    const fetch = scriptedFetch(stream(piece(3, 'one'), 'breaks'), stream(piece(6, 'two') + over));
    const output = clientOf(fetch).workspaces.followOutput(workspace, 'cmd_1');
    expect(await output.next()).toEqual({ done: false, value: { stream: 'stdout', text: 'one' } });
    expect(await output.next()).toEqual({ done: false, value: { stream: 'stdout', text: 'two' } });
    expect(await output.next()).toEqual({ done: true, value: { id: 'cmd_1', exit_code: 3 } });
    expect(fetch.requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '3']);
  });

  test('waiting for a port ends as soon as a program listens on it', async () => {
    const ports = (listening: boolean) => json({ data: [{ port: 3000, listening }] });
    const client = clientOf(scriptedFetch(ports(false), ports(true)));
    expect(await client.workspaces.waitForPort(workspace, 3000)).toEqual({ port: 3000, listening: true });
  });
});
