import {
  deliveredName,
  type EventType,
  eventTypes,
  isSubscribable,
  namesOf,
  ownNameOf,
  typesOf,
  type WebhookFormat,
  webhookFormats,
} from '@bottega/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('an event arrives under the name in the subscription:', () => {
  test.each<[EventType, WebhookFormat, string[], string | null]>([
    ['file.updated', 'reference', ['file.updated'], 'file.updated'],
    ['file.updated', 'reference', ['file.uploaded'], 'file.uploaded'],
    ['file.created', 'guide', ['file.created'], 'file.created'],
    ['collaboration.invited', 'core', ['project.shared'], 'project.shared'],
    ['collaboration.invited', 'reference', ['collaborator.invited'], 'collaborator.invited'],
    ['file.deleted', 'reference', ['file.updated', 'project.deleted'], null],
    ['file.updated', 'reference', [], null],
    ['file.updated', 'reference', ['test.ping'], null],
  ])('%s in the format %s, with the subscription %j, as %s', (type, format, subscribed, name) => {
    expect(deliveredName(type, format, subscribed)).toBe(name);
  });
});

describe("a wildcard delivers under the format's own name, or else the reference name, if it matches that name:", () => {
  test.each<[EventType, WebhookFormat, string[], string | null]>([
    ['file.updated', 'guide', ['*'], 'file.uploaded'],
    ['collaboration.left', 'core', ['*'], 'collaborator.removed'],
    ['build.started', 'core', ['*'], 'build.started'],
    ['build.started', 'guide', ['build.*'], 'build.started'],
    ['user.registered', 'guide', ['user.*'], 'user.created'],
    // Only the guide has a name for it.
    ['file.downloaded', 'reference', ['*'], 'file.downloaded'],
    ['collaboration.joined', 'reference', ['project.*'], null],
    ['project.created', 'reference', ['proj.*'], null],
  ])('%s in the format %s, with the subscription %j, as %s', (type, format, subscribed, name) => {
    expect(deliveredName(type, format, subscribed)).toBe(name);
  });
});

describe('Webhooks API, Events: a wildcard delivers no name that it does not match', () => {
  test.each<[EventType, WebhookFormat, string[], string | null]>([
    ['collaboration.invited', 'reference', ['project.*'], 'project.shared'],
    ['collaboration.invited', 'core', ['project.*'], 'project.shared'],
    ['collaboration.invited', 'core', ['collaboration.*'], 'collaboration.invited'],
    ['collaboration.invited', 'guide', ['collaborator.*'], 'collaborator.invited'],
  ])('%s in the format %s, with the subscription %j, as %s', (type, format, subscribed, name) => {
    expect(deliveredName(type, format, subscribed)).toBe(name);
  });
});

test('of several matching entries of a subscription, the first one decides', () => {
  expect(deliveredName('file.updated', 'reference', ['file.uploaded', 'file.updated'])).toBe('file.uploaded');
  expect(deliveredName('file.updated', 'reference', ['file.updated', 'file.uploaded'])).toBe('file.updated');
  expect(deliveredName('file.updated', 'reference', ['*', 'file.uploaded'])).toBe('file.updated');
  expect(deliveredName('file.updated', 'guide', ['project.*', 'file.updated', '*'])).toBe('file.updated');
});

test('a subscription may name every event of every taxonomy, all events, and all events with a prefix', () => {
  for (const name of eventTypes.flatMap(namesOf)) expect(isSubscribable(name), name).toBe(true);
  for (const name of ['*', 'test.ping', 'project.*', 'collaborator.*', 'test.*', 'security.*']) {
    expect(isSubscribable(name), name).toBe(true);
  }
  for (const name of ['', '.*', '**', 'project', 'project.', 'project.**', 'proj.*', 'Project.created', '*.created']) {
    expect(isSubscribable(name), name).toBe(false);
  }
});

test('the types of a subscription are those that it delivers', () => {
  const entries = [...new Set(eventTypes.flatMap(namesOf)), '*', 'project.*', 'file.*', 'user.*', 'collaborator.*'];
  const subscriptions = fc.subarray(entries, { maxLength: 4 });
  fc.assert(
    fc.property(subscriptions, fc.constantFrom(...webhookFormats), (subscribed, format) => {
      const delivered = eventTypes.filter((type) => deliveredName(type, format, subscribed) !== null);
      expect(typesOf(subscribed)).toEqual(delivered);
      for (const type of delivered) {
        expect([...namesOf(type), ownNameOf(type, format)]).toContain(deliveredName(type, format, subscribed));
      }
    }),
    { numRuns: 300 },
  );
});
