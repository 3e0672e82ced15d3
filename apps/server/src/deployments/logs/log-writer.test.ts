import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { logsOf, projectOf, waitingDeployment } from '../../testing/samples/sample-deployments.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { openLogWriter } from './log-writer.ts';
import { logOfDeployment } from './logs.sql.ts';
import { createMask } from './mask.ts';

const service = useTestService({ role: 'api' });
const MiB = 2 ** 20;

/** Yields this many bytes of lines as fast as they are read. `pulled` is the number of bytes read. */
function printing(bytes: number, lineBytes: number) {
  let pulled = 0;
  let line = 0;
  const perChunk = Math.floor(65_536 / lineBytes);
  const stream = new Readable({
    read() {
      if (pulled >= bytes) return void this.push(null);
      const lines = Array.from({ length: perChunk }, () => `${++line}`.padEnd(lineBytes - 1, '.'));
      pulled += perChunk * lineBytes;
      this.push(Buffer.from(`${lines.join('\n')}\n`));
    },
  });
  return { stream, pulled: () => pulled, lines: () => line };
}

const nothing = () => Readable.from([]);

async function open(maxBytes: number) {
  const place = await projectOf(service, { '/index.html': 'x' });
  const { id } = await waitingDeployment(place, 'preview');
  const log = openLogWriter({
    db: service.db,
    of: logOfDeployment(id),
    mask: createMask([]),
    maxBytes,
    onWritten: () => undefined,
  });
  const seq = async () =>
    (await service.pool.query('select log_seq from deployments where id = $1', [id])).rows[0].log_seq;
  return { place, id, log, seq };
}

describe('output that is printed faster than it can be stored', () => {
  test('waits for the database and is not buffered in memory', async () => {
    const { place, id, log } = await open(128 * MiB);
    const client = await service.pool.connect();
    await client.query('begin');
    await client.query('select from deployments where id = $1 for update', [id]);
    const printer = printing(6 * MiB, 4_096);
    log.follow({ stdout: printer.stream, stderr: nothing() });
    await waitFor('it has stopped reading', async () => {
      const before = printer.pulled();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return before > 0 && printer.pulled() === before;
    });
    expect(printer.pulled()).toBeLessThan(3 * MiB);
    await client.query('rollback');
    client.release();
    await waitFor('all is read', async () => printer.pulled() >= 6 * MiB);
    await log.close();
    const lines = await logsOf(place, id);
    expect(lines).toHaveLength(printer.lines());
    expect(lines.at(-1)?.message).toMatch(new RegExp(`^${printer.lines()}\\.`));
  });

  test('keeps its last lines when a line of the service follows them', async () => {
    const { place, id, log } = await open(200_000);
    const printer = printing(300_000, 100);
    log.follow({ stdout: printer.stream, stderr: nothing() });
    await waitFor('all is read', async () => printer.stream.destroyed);
    await log.flush();
    log.say('the last word, which takes more room than is left'.padEnd(200, '.'));
    await log.close();
    const lines = await logsOf(place, id);
    const cut = lines.findIndex(({ message }) => /^… \d+ lines were cut here/.test(message));
    const end = lines.slice(cut + 1, -1).map(({ message }) => Number.parseInt(message, 10));
    expect(end.length * 116).toBeGreaterThan(80_000);
    expect(end).toEqual(end.map((_, index) => printer.lines() - end.length + 1 + index));
    expect(lines.at(-1)?.message).toContain('the last word');
  });

  test('costs the database no more than its limit and a little for every second', async () => {
    const { place, id, log, seq } = await open(200_000);
    const printer = printing(4 * MiB, 100);
    const begun = Date.now();
    log.follow({ stdout: printer.stream, stderr: nothing() });
    await waitFor('all is read', async () => printer.pulled() >= 4 * MiB);
    log.say('the last word');
    await log.close();
    const seconds = (Date.now() - begun) / 1000;
    expect((await seq()) * 100).toBeLessThan(400_000 + 400_000 * seconds);
    const lines = await logsOf(place, id);
    const cut = lines.findIndex(({ message }) => /^… \d+ lines were cut here/.test(message));
    const number = (index: number) => Number.parseInt(lines[index]?.message ?? '', 10);
    expect(lines[cut]?.message).toContain(` ${number(cut + 1) - number(cut - 1) - 1} `);
    expect(number(lines.length - 2)).toBe(printer.lines());
    expect(lines.at(-1)?.message).toBe('the last word');
  });
});

test('a short outage of the database loses no log line', async () => {
  const { place, id, log } = await open(8 * MiB);
  log.say('before');
  await log.flush();
  const until = Date.now() + 400;
  const terminating = (async () => {
    while (Date.now() < until) {
      await service.pool
        .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
        .catch(() => undefined);
    }
  })();
  for (let line = 0; line < 20; line++) {
    log.say(`line ${line}`);
    await log.flush();
  }
  await terminating;
  log.say('after');
  await log.close();
  await waitFor('it answers again', async () => (await logsOf(place, id)).length > 0);
  const messages = (await logsOf(place, id)).map(({ message }) => message);
  expect(new Set(messages)).toEqual(new Set(['before', ...Array.from({ length: 20 }, (_, n) => `line ${n}`), 'after']));
});
