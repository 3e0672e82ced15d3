import { expect, test } from 'vitest';
import { createLogger } from '../foundation/http/watching/logging.ts';
import { createRefusals } from './refusals.ts';

test('refused handshakes are logged in one line a minute, with their number', () => {
  const lines: { name: string; refused: number }[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  let now = 0;
  const refusals = createRefusals(log, () => now);
  for (let count = 0; count < 1_000; count++) refusals.note(`a${count}.example`);
  expect(lines).toMatchObject([{ name: 'a0.example', refused: 1 }]);
  now += 60_000;
  refusals.note('last.example');
  expect(lines.slice(1)).toMatchObject([{ name: 'last.example', refused: 1_000 }]);
});
