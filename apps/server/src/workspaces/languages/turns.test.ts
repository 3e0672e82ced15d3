import { expect, test } from 'vitest';
import type { Document } from './documents.ts';
import { createTurns } from './turns.ts';

const having = (text: string) => ({
  documents: new Map<string, Document>([['/a.ts', { text, languageId: 'typescript', version: 1 }]]),
});

/** Lets everything that can go on do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('requests with equal texts run at the same time, and a request with another text waits for them', async () => {
  const told: string[] = [];
  const turns = createTurns({ notify: (method) => void told.push(method) });
  const [one, same, other] = [having('a'), having('a'), having('b')];
  const leaving = [await turns.enter(one), await turns.enter(same)];
  expect(told).toEqual(['textDocument/didOpen']);
  let hasEntered = false;
  const waiting = turns.enter(other).then((leave) => {
    hasEntered = true;
    return leave;
  });
  leaving[0]?.();
  await settled();
  expect(hasEntered).toBe(false);
  leaving[1]?.();
  (await waiting)();
  expect(told).toEqual(['textDocument/didOpen', 'textDocument/didChange']);
});

test('nobody overtakes waiting requests, and files that nobody has open are closed', async () => {
  const told: string[] = [];
  const turns = createTurns({ notify: (method) => void told.push(method) });
  const first = await turns.enter(having('a'));
  const order: string[] = [];
  const entered = (name: string, text: string) =>
    turns.enter(having(text)).then((leave) => {
      order.push(name);
      leave();
    });
  const all = [entered('second', 'b'), entered('third', 'a')];
  first();
  await Promise.all(all);
  expect(order).toEqual(['second', 'third']);
  turns.close((path) => path !== '/a.ts');
  expect(told.at(-1)).toBe('textDocument/didClose');
});
