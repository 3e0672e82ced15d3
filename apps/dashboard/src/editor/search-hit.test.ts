import { expect, test } from 'vitest';
import { hitIn } from './search-hit.ts';

test('the hit of a short line stands with all that is around it', () => {
  expect(hitIn({ column: 10, excerpt: '  export answer = 42;' }, 'ANSWER')).toEqual({
    before: 'export ',
    hit: 'answer',
    after: ' = 42;',
  });
});

test('what stands long before the hit is cut, so that the hit is seen', () => {
  const excerpt = `${'x'.repeat(60)}needle and more`;
  expect(hitIn({ column: 500, excerpt }, 'needle')).toEqual({
    before: `…${'x'.repeat(16)}`,
    hit: 'needle',
    after: ' and more',
  });
});
