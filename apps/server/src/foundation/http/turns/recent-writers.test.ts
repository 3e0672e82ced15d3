import { expect, test } from 'vitest';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { listenersByTopic, nobodyElse } from '../../cluster/siblings.ts';
import { watchWriters } from './recent-writers.ts';

type Hook = (request: object, reply: object, payload: string, done: () => void) => void;

/** Each process hears what the other one tells. */
function twoProcesses(ms: number) {
  const { hear, tell } = listenersByTopic();
  const here = watchWriters({ ...nobodyElse, tell: (topic, text) => tell([[topic, text]]) }, ms);
  const there = watchWriters({ ...nobodyElse, hear }, ms);
  let answer: Hook = () => undefined;
  const addHook = (_name: string, hook: Hook) => {
    answer = hook;
  };
  here.register({ addHook } as never);
  const ask = (method: string, userId: string) => answer({ method, principal: { userId } }, {}, '', () => undefined);
  return { here, there, ask };
}

test('an account that changes something counts as a writer in every process, and one that only reads does not', () => {
  const { here, there, ask } = twoProcesses(60_000);
  ask('GET', 'usr_1');
  ask('PUT', 'usr_2');
  for (const writers of [here, there]) {
    expect(writers.hasWritten('usr_1')).toBe(false);
    expect(writers.hasWritten('usr_2')).toBe(true);
  }
});

test('a writer is forgotten some time after its change', async () => {
  const { here, ask } = twoProcesses(50);
  ask('DELETE', 'usr_1');
  await waitFor('it is forgotten', () => !here.hasWritten('usr_1'));
});
