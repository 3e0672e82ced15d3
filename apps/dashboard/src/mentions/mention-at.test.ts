import { expect, test } from 'vitest';
import { mentionAt, mostShown, type Person, peopleFor, spelledOut } from './mention-at.ts';

const typedAt = (text: string) => mentionAt(text.replace('|', ''), text.indexOf('|'));

test.each([
  ['@|', { from: 0, query: '' }],
  ['Look, @gr|', { from: 6, query: 'gr' }],
  ['(@x-y|', { from: 1, query: 'x-y' }],
  ['one\n@Jürgen|, hello', { from: 4, query: 'Jürgen' }],
  ['@ad|a', { from: 0, query: 'ad' }],
  ['mail@example|', null],
  ['@@no|', null],
  ['@ada |', null],
  ['no mention|', null],
])('the mention at the cursor is recognized, if there is any: %j', (text, expected) => {
  expect(typedAt(text)).toEqual(expected);
});

const person = (username: string, name: string): Person => ({ id: username, username, name, picture: null });
const people = [person('grace', 'Grace Hopper'), person('ada.l', 'Ada Lovelace'), person('hal', 'Edda Hall')];
const found = (query: string) => peopleFor(people, query).map(({ username }) => username);

test('people are found first by the beginning of their names and usernames, and then by any other part of them', () => {
  expect(found('')).toEqual(['ada.l', 'hal', 'grace']);
  expect(found('Lov')).toEqual(['ada.l']);
  expect(found('h')).toEqual(['hal', 'grace']);
  expect(found('da')).toEqual(['ada.l', 'hal']);
  expect(found('nobody')).toEqual([]);
});

test('only a few people are offered', () => {
  const many = Array.from({ length: 50 }, (_, index) => person(`user${index}`, `User ${index}`));
  expect(peopleFor(many, 'user')).toHaveLength(mostShown);
});

test('a mention is inserted in the spelling of the service, followed by one space', () => {
  const [grace] = people as [Person];
  const spelled = (text: string, query: string) => spelledOut(text, { from: 0, query }, grace);
  expect(spelled('@gr', 'gr')).toEqual({ to: 3, text: '@grace ' });
  expect(spelled('@gr hello', 'gr')).toEqual({ to: 3, text: '@grace' });
  expect(spelled('@grah, hello', 'gra')).toEqual({ to: 5, text: '@grace ' });
});
