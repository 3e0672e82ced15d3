import { expect, test } from 'vitest';
import { hitIn } from './search-hit.ts';

test('a match in a short line is shown with the whole line around it', () => {
  expect(hitIn({ column: 10, excerpt: '  export answer = 42;' }, 'ANSWER')).toEqual({
    before: 'export ',
    hit: 'answer',
    after: ' = 42;',
  });
});

test('a long text before the match is cut, so that the match stays visible', () => {
  const excerpt = `${'x'.repeat(60)}needle and more`;
  expect(hitIn({ column: 500, excerpt }, 'needle')).toEqual({
    before: `…${'x'.repeat(16)}`,
    hit: 'needle',
    after: ' and more',
  });
});
