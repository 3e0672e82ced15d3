import { expect, test } from 'vitest';
import { portOf, previewedIn } from './previewed.ts';

test.each(['file', 'site', 'port-3000'])('a link can show %s', (text) => expect(previewedIn(text)).toBe(text));

test.each([undefined, '', 'port-', 'port-0', 'port-65536', 'port-80x'])('a link cannot show %s', (text) =>
  expect(previewedIn(text)).toBeUndefined(),
);

test('the port is parsed from the name of the preview', () => {
  expect(portOf('port-8080')).toBe(8080);
  expect(portOf('site')).toBeNull();
});
