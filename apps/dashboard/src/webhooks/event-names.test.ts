import { describe, expect, test } from 'vitest';
import { eventTypeList } from '../../../server/src/webhooks/subscriptions/catalogue.ts';
import { groupsOf, inFormat, othersOf, withGroup, withName } from './event-names.ts';

const types = eventTypeList().event_types;

describe('the picker of events', () => {
  test('has every event of the catalogue once, under its name in the chosen format', () => {
    const reference = groupsOf(types, 'reference');
    expect(reference.map(({ prefix }) => prefix)).toEqual([
      'project',
      'collaboration',
      'file',
      'repository',
      'build',
      'deployment',
      'variable',
      'domain',
      'workspace',
      'merge_request',
      'review',
      'check',
      'comment',
      'user',
      'security',
      'notification',
    ]);
    expect(reference.flatMap(({ events }) => events)).toHaveLength(types.length - 1);
    const guide = groupsOf(types, 'guide').find(({ prefix }) => prefix === 'file');
    expect(guide?.events.find(({ name }) => name === 'file.uploaded')?.descriptions).toHaveLength(2);
  });

  test('replaces the names of a group by the group, and keeps a name of another format visible', () => {
    const groups = groupsOf(types, 'reference');
    const [project] = groups;
    if (!project) throw new Error('no group');
    const chosen = withName(withName([], 'project.created', true), 'file.created', true);
    expect(withGroup(chosen, project, true)).toEqual(['file.created', 'project.*']);
    expect(withGroup(['project.*', 'file.created'], project, false)).toEqual(['file.created']);
    expect(withName(chosen, 'file.created', false)).toEqual(['project.created']);
    expect(othersOf(['*', 'project.*', 'file.created', 'collaborator.joined'], groups)).toEqual([
      'collaborator.joined',
    ]);
  });

  test('keeps the choice when the format changes', () => {
    const chosen = ['*', 'collaboration.invited', 'collaboration.*', 'file.created', 'file.updated', 'project.*'];
    expect(inFormat(chosen, types, { from: 'reference', to: 'core' })).toEqual([
      '*',
      'collaborator.invited',
      'collaborator.*',
      'file.created',
      'file.updated',
      'project.*',
    ]);
    expect(inFormat(['file.created', 'file.updated'], types, { from: 'reference', to: 'guide' })).toEqual([
      'file.uploaded',
    ]);
    expect(inFormat(['unknown', 'nothing.*'], types, { from: 'core', to: 'guide' })).toEqual(['unknown', 'nothing.*']);
  });
});
