import { expect, test } from 'vitest';
import { maxMentioned, mentionsIn, newMentionsIn } from './mentions.ts';

test('A mention is a username as it is written in a sentence, and not a part of an address', () => {
  expect(mentionsIn('@ada, @Grace.hopper. (@x-y_z) mail@example.com @@no @ada')).toEqual([
    'ada',
    'grace.hopper',
    'x-y_z',
  ]);
});

test.each([
  ['a code span', 'Use `@types` and ``@a`b``, @ada', ['ada']],
  ['a block of code', 'See\n```ts\n@Injectable()\n```\n@ada', ['ada']],
  ['a quoted block', '> ~~~\n> @param\n> ~~~\n@ada', ['ada']],
  ['a suggestion', '````suggestion\n```\n@media\n````\n@ada', ['ada']],
  ['a block without an end', '@ada\n```\n@media', ['ada']],
])('A name in %s mentions nobody', (_what, text, names) => {
  expect(mentionsIn(text)).toEqual(names);
});

test.each([
  ['a backtick without a partner', 'It`s @ada', ['ada']],
  ['backticks in two paragraphs', 'It`s\n\n@ada\n\nthat`s it', ['ada']],
  ['a code span that begins a line', '```x``` @ada', ['ada']],
])('%s hides no mention', (_what, text, names) => {
  expect(mentionsIn(text)).toEqual(names);
});

test('A text has a limited number of mentions, and takes time in proportion to its length', () => {
  const many = Array.from({ length: 100 }, (_, index) => `@user${index}`).join(' ');
  expect(mentionsIn(many)).toHaveLength(maxMentioned);
  const runs = Array.from({ length: 300 }, (_, index) => '`'.repeat(index + 2)).join(' ');
  expect(mentionsIn(`${runs} @ada ${'`a'.repeat(20_001)}`)).toEqual(['ada']);
});

test('An edit mentions only people whom the text did not mention before', () => {
  expect(newMentionsIn('@ada and @bob', 'Look, @Ada')).toEqual(['bob']);
});
