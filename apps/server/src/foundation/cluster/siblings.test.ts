import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { family } from '../../testing/service/family.ts';
import { openRateLimiter } from '../rate-limits/shared-rate-limiter.ts';
import type { Siblings } from './siblings.ts';

test('a message reaches all other processes, once for each turn of the event loop', async () => {
  const [first, second, third] = family(3) as [Siblings, Siblings, Siblings];
  const heard: string[] = [];
  for (const [name, one] of Object.entries({ first, second, third })) {
    one.hear('events', (text) => heard.push(`${name}: ${text}`));
  }
  for (const text of ['a', 'b', 'a']) first.tell('events', text);
  await waitFor('both have heard', () => heard.length === 4);
  expect(heard.sort()).toEqual(['second: a', 'second: b', 'third: a', 'third: b']);
});

test('a question is answered by each of the others, and a process that does not answer is left out', async () => {
  const [first, second, third, fourth] = family(4) as [Siblings, Siblings, Siblings, Siblings];
  second.answer('health', async () => ({ disk: 'ok' }));
  third.answer('health', () => new Promise(() => undefined));
  fourth.answer('health', () => Promise.reject(new Error('it is being stopped')));
  expect(await first.askOthers('health')).toEqual([{ disk: 'ok' }]);
});

test('a rate limit is exact across all processes', async () => {
  const limiters = family(3).map((one) => openRateLimiter(one, { windowSeconds: 3600, burstSeconds: 60 }));
  const tier = { requests: 100, burst: 1000 };
  const asked = Array.from({ length: 150 }, (_, index) => limiters[index % 3]?.take('user:1', tier));
  const decisions = await Promise.all(asked);
  const admitted = decisions.filter((decision) => decision?.allowed);
  expect(admitted).toHaveLength(100);
  expect(new Set(admitted.map((decision) => decision?.remaining)).size).toBe(100);
  expect((await limiters[0]?.peek('user:1', tier))?.remaining).toBe(0);
});
