import type { CreateBranchRule, MergeReadiness } from '@bottega/contract';
import { expect, test } from 'vitest';
import { change } from '../../repository/merging/merging.fixture.ts';
import { useGitClient } from '../../repository/smart-http/git-client.fixture.ts';
import { conflicting, detailsOf, expectError } from '../../testing/clients/expect-error.ts';
import type { Answer } from '../../testing/clients/http-client.ts';
import { contentAt } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { ask, type Opened, opened, push } from '../merge-requests.fixture.ts';
import { addRule, newEditor, whileAdding } from './rules.fixture.ts';

const service = useTestService();
const client = useGitClient(service);

const merge = (place: Opened) => ask(place, 'POST', `/${place.number}/merge`, {});
const readiness = async (place: Opened) => (await ask<MergeReadiness>(place, 'GET', `/${place.number}/merge`)).body;
const approve = (place: Opened) => ask(place, 'POST', `/${place.number}/reviews`, { event: 'APPROVE' });

function expectNotReady(answer: Answer<unknown>, ...reasons: string[]): void {
  expectError(answer, conflicting);
  const details = { reason: 'not_ready', blocked_by: reasons.map((reason) => expect.objectContaining({ reason })) };
  expect(detailsOf(answer)).toEqual(details);
}

test('even an owner merges a request only once it has the approvals that the rule of its target requires', async () => {
  const place = await opened(service, client);
  const editor = { ...place, user: await newEditor(service, place.projectId) };
  await addRule(place, { pattern: 'm*', approvals: 1 });
  expectNotReady(await merge(place), 'approvals');
  expect(await readiness(place)).toMatchObject({ ready: false, approvals: { given: 0, required: 1 } });
  await approve(editor);
  expect(await readiness(place)).toMatchObject({ ready: true, blocked_by: [], can_merge: true });
  expect((await merge(place)).body).toMatchObject({ state: 'merged' });
  expect(await contentAt(place, '/a.txt')).toBe('1\n2\nthree\n4\n5\n');
});

test('a request whose lines changed after its approval is not merged', async () => {
  const place = await opened(service, client);
  const editor = { ...place, user: await newEditor(service, place.projectId) };
  await addRule(place, { pattern: 'main', approvals: 1 });
  await approve(editor);
  await place.clone.git('checkout', '--quiet', 'feature');
  await change(place.clone, 'Sneak', { 'a.txt': '1\n2\nevil\n4\n5\n' });
  await push(place);
  expectNotReady(await merge(place), 'approvals');
});

test('a rule for another branch has no effect', async () => {
  const place = await opened(service, client);
  await addRule(place, { pattern: 'release/*', approvals: 2 });
  expect((await merge(place)).body).toMatchObject({ state: 'merged' });
});

test('viewers see what is missing, and that they may not merge', async () => {
  const place = await opened(service, client);
  const viewer = { ...place, user: await service.createUser() };
  await addCollaborator(service, place.projectId, viewer.user, { role: 'viewer' });
  await addRule(place, { pattern: 'main', approvals: 1 });
  expect(await readiness(viewer)).toMatchObject({ ready: false, can_merge: false });
});

test.each<[string, Omit<CreateBranchRule, 'pattern'>]>([
  ['approvals', { approvals: 1 }],
  ['owners', { owners: true }],
])('a rule about %s that is added while a merge waits for the project applies to this merge', async (reason, rule) => {
  const editor = await service.createUser();
  const files = {
    base: { 'a.txt': 'a\n', CODEOWNERS: `* @${editor.username}\n` },
    ours: { 'b.txt': 'b\n' },
    theirs: { 'a.txt': 'A\n' },
  };
  const place = await opened(service, client, { files });
  await addCollaborator(service, place.projectId, editor, { role: 'editor' });
  const merged = await whileAdding(service, place, { pattern: 'main', ...rule }, () => merge(place));
  expectNotReady(merged, reason);
  expect((await ask(place, 'GET', place.number)).body.state).toBe('open');
});
