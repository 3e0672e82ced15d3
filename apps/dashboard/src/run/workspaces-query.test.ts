import type { Workspace } from '@bottega/contract';
import { expect, test } from 'vitest';
import { declaresStart } from './use-first-preview.ts';
import { workspaceOn } from './workspaces-query.ts';

const workspace = (id: string, fields: Partial<Workspace>) =>
  ({ id, branch: 'main', status: 'sleeping', created_by: 'usr_me', ...fields }) as Workspace;

test.each([
  ['none of another branch', [workspace('a', { branch: 'other' })], undefined],
  ['the newest', [workspace('new', {}), workspace('old', {})], 'new'],
  ['the reader’s own', [workspace('theirs', { created_by: 'usr_you' }), workspace('mine', {})], 'mine'],
  ['one that runs', [workspace('mine', {}), workspace('on', { created_by: 'usr_you', status: 'running' })], 'on'],
])('among the workspaces of a branch, %s is shown', (_which, all, id) => {
  expect(workspaceOn(all, 'main', 'usr_me')?.id).toBe(id);
});

test.each([
  ['{"workspace": {"start": "npm start"}}', true],
  ['{"workspace": {"setup": "npm ci"}}', false],
  ['{"workspace": {"start": ""}}', false],
  ['{"workspace": null}', false],
  ['null', false],
  ['{', false],
])('bottega.json declares whether a program is started: %s', (text, isStarted) => {
  expect(declaresStart(text)).toBe(isStarted);
});
