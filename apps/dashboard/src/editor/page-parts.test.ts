import { expect, test } from 'vitest';
import { referencesIn } from './page-parts.ts';

test('the files that a page refers to are found once each, with either kind of quotes or without', () => {
  const page = `<link rel=stylesheet href=style.css><script src='a.js'></script><img SRC = "b c.png"><img src="b c.png">`;
  expect(referencesIn(page)).toEqual(['style.css', 'a.js', 'b c.png']);
});
