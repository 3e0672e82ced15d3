import { expect, test } from 'vitest';
import { referencesIn } from './page-parts.ts';

test('the parts of a page are named by quotes of both kinds or none, each once', () => {
  const page = `<link rel=stylesheet href=style.css><script src='a.js'></script><img SRC = "b c.png"><img src="b c.png">`;
  expect(referencesIn(page)).toEqual(['style.css', 'a.js', 'b c.png']);
});
