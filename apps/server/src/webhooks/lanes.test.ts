import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { DeliveryJob } from './delivery-job.ts';
import { openLanes } from './lanes.ts';

/** Lanes whose endpoints answer when they are told to. */
function slowEndpoints({ inAll, perWebhook }: { inAll: number; perWebhook: number }) {
  const underWay: { job: DeliveryJob; answer: (well: boolean) => void }[] = [];
  const lanes = openLanes({
    inAll,
    perWebhook,
    run: (job) => new Promise((answer) => underWay.push({ job, answer })),
    onRoom: () => undefined,
  });
  let ids = 0;
  return {
    lanes,
    underWay,
    add(accountId: string, webhookId: string, count = 1) {
      for (let n = 0; n < count; n++) lanes.add({ id: `${++ids}`, accountId, webhookId } as DeliveryJob);
    },
    of: (accountId: string) => underWay.filter(({ job }) => job.accountId === accountId).length,
    async answerOne(accountId: string) {
      const index = underWay.findIndex(({ job }) => job.accountId === accountId);
      underWay.splice(index, 1)[0]?.answer(true);
      await nextTurn();
    },
  };
}

test('an account with many slow webhooks leaves places for another, whose delivery goes out at once', () => {
  const { add, of } = slowEndpoints({ inAll: 64, perWebhook: 10 });
  for (let webhook = 0; webhook < 100; webhook++) add('busy', `busy-${webhook}`, 20);
  expect(of('busy')).toBe(32);
  add('other', 'other-1', 5);
  expect(of('other')).toBe(5);
});

test('where all want more than there is, places go over to those that have fewer, until all have the same', async () => {
  const { add, of, answerOne } = slowEndpoints({ inAll: 64, perWebhook: 10 });
  for (let webhook = 0; webhook < 100; webhook++) add('busy', `busy-${webhook}`, 200);
  for (let webhook = 0; webhook < 100; webhook++) add('other', `other-${webhook}`, 200);
  expect([of('busy'), of('other')]).toEqual([32, 16]);
  for (let count = 0; count < 40; count++) await answerOne('busy');
  expect(of('busy')).toBeLessThanOrEqual(22);
  expect(of('other')).toBeGreaterThanOrEqual(20);
});

test('of an account only so many wait in memory; another has room all the same', () => {
  const { add, lanes } = slowEndpoints({ inAll: 8, perWebhook: 2 });
  for (let webhook = 0; webhook < 40; webhook++) add('busy', `busy-${webhook}`, 100);
  expect(lanes.roomOf('busy')).toBe(0);
  expect(lanes.roomOf('other')).toBe(4_000);
});
