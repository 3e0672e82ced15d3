import { readFileSync } from 'node:fs';
import { routes } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { operations } from '../src/generated/operations.ts';
import { Bottega } from '../src/index.ts';
import { generatedFiles } from './generated-files.ts';
import { leftOut, methodNames, repeatablePosts, writtenByHand } from './method-names.ts';
import { allMethods } from './operations.ts';

test('every route of the contract has a method, or a reason why it has none', () => {
  const known = [...Object.keys(methodNames), ...Object.keys(leftOut)];
  expect(known.toSorted()).toEqual(Object.keys(routes).toSorted());
  const hidden = Object.entries(routes).filter(([, route]) => 'hidden' in route);
  expect(Object.keys(leftOut)).toEqual(expect.arrayContaining(hidden.map(([name]) => name)));
});

test('no two routes share a method, and the client has all methods', () => {
  const names = Object.values(methodNames);
  expect(new Set(names).size).toBe(names.length);
  const client = new Bottega({ baseUrl: 'http://localhost' }) as unknown as Record<string, Record<string, unknown>>;
  for (const name of names) {
    const [resource = '', method = ''] = name.split('.');
    expect(client[resource]?.[method], name).toBeTypeOf('function');
  }
});

test('the generated files match the contract; else run `npm run generate -w @bottega/sdk`', async () => {
  for (const { path, text } of await generatedFiles()) expect(readFileSync(path, 'utf8'), path).toBe(text);
});

describe('in the table of requests that may be repeated,', () => {
  const methods = allMethods();

  test('a POST that creates is sent with a key', () => {
    const creating = methods.filter(({ route }) => route.address.startsWith('POST') && 201 in route.responses);
    expect(creating.length).toBeGreaterThan(20);
    for (const { repeat, routeName } of creating) expect(repeat, routeName).toBe('key');
  });

  test('any other POST is sent once, unless it is listed as repeatable', () => {
    const others = methods.filter(({ route }) => route.address.startsWith('POST') && !(201 in route.responses));
    const repeated = others.filter(({ repeat }) => repeat !== 'never').map(({ routeName }) => routeName);
    expect(repeated.toSorted()).toEqual(Object.keys(repeatablePosts).toSorted());
  });

  test('creating a project has a key, testing a webhook is never repeated, and an update has no entry', () => {
    expect(operations.projects.create).toMatchObject({ repeat: 'key' });
    expect(operations.webhooks.test).toMatchObject({ repeat: 'never' });
    expect(operations.projects.update).not.toHaveProperty('repeat');
    expect(Object.keys(writtenByHand)).toEqual(['writeFile', 'listEvents']);
  });
});
