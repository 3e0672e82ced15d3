import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { DeliveryJob } from '../queue/delivery-job.ts';
import { openLanes } from './lanes.ts';
import type { AttemptEnd } from './places.ts';

/** Lanes whose endpoints answer on command. */
function slowEndpoints({ inAll, perWebhook }: { inAll: number; perWebhook: number }) {
  const underWay: { job: DeliveryJob; answer: (end: AttemptEnd) => void }[] = [];
  const left: string[][] = [];
  const lanes = openLanes({
    inAll,
    perWebhook,
    run: (job) => new Promise((answer) => underWay.push({ job, answer })),
    onRoom: () => undefined,
    onLeft: (jobs) => left.push(jobs.map(({ id }) => id)),
  });
  let ids = 0;
  return {
    lanes,
    underWay,
    left,
    add(accountId: string, webhookId: string, count = 1) {
      for (let n = 0; n < count; n++) lanes.add({ id: `${++ids}`, accountId, webhookId, run: null } as DeliveryJob);
    },
    /** Adds the jobs of a claim for these projects, in this order. */
    addRun(lines: string[], until = Number.POSITIVE_INFINITY) {
      for (const line of lines) {
        const id = `${line}${++ids}`;
        lanes.add({ id, accountId: 'one', webhookId: 'in order', run: { line, until } } as DeliveryJob);
      }
    },
    async end(id: string, end: AttemptEnd) {
      const index = underWay.findIndex(({ job }) => job.id === id);
      underWay.splice(index, 1)[0]?.answer(end);
      await nextTurn();
      return underWay.map(({ job }) => job.id);
    },
    of: (accountId: string) => underWay.filter(({ job }) => job.accountId === accountId).length,
    async answerOne(accountId: string) {
      const index = underWay.findIndex(({ job }) => job.accountId === accountId);
      underWay.splice(index, 1)[0]?.answer('well');
      await nextTurn();
    },
  };
}

test('an account with many slow webhooks leaves places for another account, whose delivery goes out at once', () => {
  const { add, of } = slowEndpoints({ inAll: 64, perWebhook: 10 });
  for (let webhook = 0; webhook < 100; webhook++) add('busy', `busy-${webhook}`, 20);
  expect(of('busy')).toBe(32);
  add('other', 'other-1', 5);
  expect(of('other')).toBe(5);
});

test('if all accounts want more places than there are, places move to those with fewer until all have the same', async () => {
  const { add, of, answerOne } = slowEndpoints({ inAll: 64, perWebhook: 10 });
  for (let webhook = 0; webhook < 100; webhook++) add('busy', `busy-${webhook}`, 200);
  for (let webhook = 0; webhook < 100; webhook++) add('other', `other-${webhook}`, 200);
  expect([of('busy'), of('other')]).toEqual([32, 16]);
  for (let count = 0; count < 40; count++) await answerOne('busy');
  expect(of('busy')).toBeLessThanOrEqual(22);
  expect(of('other')).toBeGreaterThanOrEqual(20);
});

test('only a limited number of deliveries of an account wait in memory, and another account still has room', () => {
  const { add, lanes } = slowEndpoints({ inAll: 8, perWebhook: 2 });
  for (let webhook = 0; webhook < 40; webhook++) add('busy', `busy-${webhook}`, 100);
  expect(lanes.roomOf('busy')).toBe(0);
  expect(lanes.roomOf('other')).toBe(4_000);
});

test('an ordered delivery is sent once the one before it in its project has arrived, whatever others do', async () => {
  const { addRun, underWay, end, left, lanes } = slowEndpoints({ inAll: 8, perWebhook: 4 });
  addRun(['a', 'b', 'a', 'a', 'b']);
  expect(underWay.map(({ job }) => job.id)).toEqual(['a1', 'b2']);
  expect(await end('a1', 'well')).toEqual(['b2', 'a3']);
  expect(await end('a3', 'well')).toEqual(['b2', 'a4']);
  expect(await end('b2', 'well')).toEqual(['a4', 'b5']);
  await end('a4', 'well');
  await end('b5', 'well');
  expect([left, lanes.ids()]).toEqual([[], []]);
});

test.each(['failed', 'dropped'] as const)('a delivery that has %s stops only those of its project', async (how) => {
  const { addRun, end, left, lanes } = slowEndpoints({ inAll: 8, perWebhook: 4 });
  addRun(['a', 'b', 'a', 'a', 'b']);
  expect(await end('a1', how)).toEqual(['b2']);
  expect(left).toEqual([['a3', 'a4']]);
  expect(lanes.ids()).toEqual(['b2', 'b5']);
  expect(lanes.waiting()).toBe(1);
});

test('deliveries that their project kept waiting for too long are left', async () => {
  const { addRun, end, left } = slowEndpoints({ inAll: 8, perWebhook: 4 });
  addRun(['a', 'a', 'a'], performance.now() - 1);
  expect(await end('a1', 'well')).toEqual([]);
  expect(left).toEqual([['a2', 'a3']]);
});
