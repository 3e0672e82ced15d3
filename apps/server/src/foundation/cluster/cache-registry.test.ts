import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { family } from '../../testing/service/family.ts';
import { openDb, openPool } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { type CacheRegistry, changing, invalidateOnChanges, openCacheRegistry } from './cache-registry.ts';
import { rememberRows } from './remembered-rows.ts';
import { nobodyElse, type Siblings } from './siblings.ts';

let database: TestDatabase;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.drop();
});

/** A process with its caches and a pool of its own. */
async function startProcess(siblings: Siblings) {
  const { connection } = database;
  const pool = openPool(connection, { max: 4, onIdleError: () => undefined });
  const db = openDb(pool);
  const caches = openCacheRegistry({ connection, siblings });
  invalidateOnChanges(db, caches);
  closing.push(() => caches.close().then(() => pool.end()));
  await waitFor('it listens', () => caches.mark('apps') !== null);
  return { db, caches };
}

const usable = (caches: CacheRegistry) => caches.mark('apps') !== null;

test('while a change is under way, no process of the machine uses or fills its cache', async () => {
  const [one, other] = await Promise.all(family(2).map(startProcess));
  if (!one || !other) throw new Error('there are two');
  const before = other.caches.mark('apps');
  await transaction(one.db, async (trx) => {
    await changing(trx, 'apps', 'prj_1');
    expect([usable(one.caches), usable(other.caches)]).toEqual([false, false]);
    expect(other.caches.mark('credentials')).not.toBeNull();
  });
  expect([usable(one.caches), usable(other.caches)]).toEqual([true, true]);
  expect(other.caches.mark('apps')).not.toBe(before);
});

test('after a change was rolled back, all processes use their caches again', async () => {
  const [one, other] = await Promise.all(family(2).map(startProcess));
  if (!one || !other) throw new Error('there are two');
  const failed = transaction(one.db, async (trx) => {
    await changing(trx, 'apps');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect([usable(one.caches), usable(other.caches)]).toEqual([true, true]);
});

test('another machine is told of a change, and what it is about, once the change is committed', async () => {
  const [one, other] = await Promise.all([startProcess(nobodyElse), startProcess(nobodyElse)]);
  const told: (string | undefined)[] = [];
  other.caches.register('credentials', (about) => void told.push(about));
  await transaction(one.db, (trx) => changing(trx, 'credentials', 'usr_1'));
  await waitFor('it has heard', () => told.includes('usr_1'));
});

test('a value that was read before a change is not cached after it', async () => {
  let mark = 0;
  const rows = rememberRows<string>({ mark: () => mark }, 'apps', 10);
  const reading = rows.get('a', async () => {
    mark += 1;
    return 'former';
  });
  expect(await reading).toBe('former');
  expect(await rows.get('a', async () => 'now')).toBe('now');
  expect(await rows.get('a', async () => 'not asked')).toBe('now');
});

test('concurrent reads of the same key share one query, except during a change', async () => {
  let mark: number | null = 0;
  const rows = rememberRows<number>({ mark: () => mark }, 'apps', 10);
  let reads = 0;
  const read = async () => ++reads;
  await Promise.all([rows.get('a', read), rows.get('a', read)]);
  expect(reads).toBe(1);
  mark = null;
  await Promise.all([rows.get('a', read), rows.get('a', read)]);
  expect(reads).toBe(3);
});
