import { expect, test } from 'vitest';
import { spent } from './spent.ts';

test('the duration of a check is shown in its two largest units', () => {
  const shown = [0, 4.4, 60, 185, 3600, 3725].map((seconds) => spent(seconds, 'en'));
  expect(shown).toEqual(['0 sec', '4 sec', '1 min', '3 min 5 sec', '1 hr', '1 hr 2 min']);
});
