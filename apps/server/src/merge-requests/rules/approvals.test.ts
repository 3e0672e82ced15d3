import type { MergeReadiness, MergeRequestDiff, Review } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { change } from '../../repository/merging/merging.fixture.ts';
import { useGitClient } from '../../repository/smart-http/git-client.fixture.ts';
import { diffTrees, findCommit, resolveBranch } from '../../repository/store/index.ts';
import { expectError, refused } from '../../testing/clients/expect-error.ts';
import { inProject, putFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { ask, type Opened, opened, push } from '../merge-requests.fixture.ts';
import { findRequest, findVersion } from '../state/index.ts';
import { hasManagersApproval, noRule, type Rule, readinessOf } from './index.ts';
import { addRule, newEditor } from './rules.fixture.ts';

const service = useTestService();
const client = useGitClient(service);

const review = async (place: Opened, user: TestUser, event: string) => {
  const answer = await ask<Review>({ ...place, user }, 'POST', `/${place.number}/reviews`, { event, body: 'So.' });
  expect(answer.status, answer.text).toBe(201);
};
const editor = ({ projectId }: Opened) => newEditor(service, projectId);

async function member(place: Opened, role: 'viewer' | 'admin'): Promise<TestUser> {
  const user = await service.createUser();
  await addCollaborator(service, place.projectId, user, { role });
  return user;
}

/** The newest version, whose merge base git has found because somebody looked at the diff. */
async function rowOf(place: Opened) {
  await ask(place, 'GET', `/${place.number}/diff`);
  const row = await findRequest(service.db, place.projectId, place.number);
  if (!row) throw new Error('there is no request');
  return row;
}

async function readiness(place: Opened, rule: Partial<Rule>) {
  const { db } = service;
  const row = await rowOf(place);
  const base = (await findVersion(db, row, row.version))?.merge_base_sha;
  const treeOf = async (sha: Buffer | null | undefined) =>
    (sha && (await findCommit(db, place.projectId, sha))?.tree_sha) ?? null;
  const targetTree = await treeOf(await resolveBranch(db, place.projectId, row.target));
  if (!targetTree) throw new Error('there is no target');
  const { files } = await diffTrees(db, place.projectId, await treeOf(base), await treeOf(row.head_sha));
  const changedPaths = files.map(({ path }) => path);
  return readinessOf(db, { row, rule: { ...noRule, ...rule }, changedPaths, targetTree, further: [] });
}

const reasons = async (place: Opened, rule: Partial<Rule>) =>
  (await readiness(place, rule)).blocked_by.map(({ reason }) => reason);

describe('approvals', () => {
  test('are counted once for each member who can edit the project', async () => {
    const place = await opened(service, client);
    const [first, second, viewer] = [await editor(place), await editor(place), await member(place, 'viewer')];
    const rule = { approvals: 2 };
    expect(await readiness(place, rule)).toMatchObject({
      ready: false,
      approvals: { given: 0, required: 2 },
      blocked_by: [{ reason: 'approvals', message: '2 more approvals are required' }],
    });
    await review(place, viewer, 'APPROVE');
    await review(place, first, 'APPROVE');
    await review(place, first, 'APPROVE');
    expect(await readiness(place, rule)).toMatchObject({ ready: false, approvals: { given: 1, required: 2 } });
    await review(place, second, 'APPROVE');
    expect(await readiness(place, rule)).toMatchObject({ ready: true, approvals: { given: 2, required: 2 } });
  });

  test('are refused from the author, and comments do not count as approvals', async () => {
    const place = await opened(service, client);
    const own = await ask(place, 'POST', `/${place.number}/reviews`, { event: 'APPROVE' });
    expectError(own, refused);
    await review(place, await editor(place), 'COMMENT');
    expect(await reasons(place, { approvals: 1 })).toEqual(['approvals']);
  });

  test('end when a line changes, and remain valid after a rebase that changes no line', async () => {
    const place = await opened(service, client);
    const { clone } = place;
    await review(place, await editor(place), 'APPROVE');
    await clone.git('checkout', '--quiet', 'feature');
    await clone.git('rebase', '--quiet', 'main');
    await push(place, '--force');
    expect(await reasons(place, { approvals: 1 })).toEqual([]);
    await change(clone, 'More', { 'a.txt': '1\n2\ntrois\n4\n5\n' });
    await push(place);
    expect(await reasons(place, { approvals: 1 })).toEqual(['approvals']);
  });

  test('end when the request gets a target for which it changes more lines', async () => {
    const place = await opened(service, client);
    await addRule(place, { pattern: 'main', approvals: 1 });
    await inProject(place, 'POST', '/branches', { json: { name: 'aside', from: 'feature' } });
    await putFile(place, { path: '/c.txt', content: 'small\n', branch: 'small', create_branch_from: 'aside' });
    const { number } = (await ask(place, 'POST', '', { source: 'small', target: 'aside', title: 'Small' })).body;
    const small = { ...place, number };
    await review(small, await editor(small), 'APPROVE');
    expect((await ask(place, 'PATCH', `/${number}`, { target: 'main' })).body.target).toBe('main');
    const { blocked_by } = (await ask<MergeReadiness>(place, 'GET', `/${number}/merge`)).body;
    expect(blocked_by.map(({ reason }) => reason)).toEqual(['approvals']);
    expect((await ask(place, 'POST', `/${number}/merge`, {})).status).toBe(409);
    const { files, version } = (await ask<MergeRequestDiff>(place, 'GET', `/${number}/diff`)).body;
    expect([version, ...files.map(({ path }) => path)]).toEqual([2, '/a.txt', '/c.txt']);
  });

  test('do not count if their members have left, can no longer edit, or are suspended', async () => {
    const place = await opened(service, client);
    const people = [await editor(place), await editor(place), await editor(place)];
    for (const user of people) await review(place, user, 'APPROVE');
    const given = async () => (await readiness(place, { approvals: 1 })).approvals.given;
    const [left, reads, suspended] = people.map(({ id }) => id);
    expect(await given()).toBe(3);
    const of = service.db.deleteFrom('collaborators').where('user_id', '=', left ?? '');
    await of.execute();
    expect(await given()).toBe(2);
    await service.db
      .updateTable('collaborators')
      .set({ permissions: ['read', 'comment'] })
      .where('user_id', '=', reads ?? '')
      .execute();
    expect(await given()).toBe(1);
    const now = { suspended_at: new Date() };
    await service.db
      .updateTable('users')
      .set(now)
      .where('id', '=', suspended ?? '')
      .execute();
    expect(await reasons(place, { approvals: 1 })).toEqual(['approvals']);
  });

  test('do not suffice while a member who can edit requests changes', async () => {
    const place = await opened(service, client);
    const [first, second, viewer] = [await editor(place), await editor(place), await member(place, 'viewer')];
    await review(place, first, 'APPROVE');
    await review(place, viewer, 'REQUEST_CHANGES');
    expect(await reasons(place, { approvals: 1 })).toEqual([]);
    await review(place, second, 'REQUEST_CHANGES');
    const { blocked_by } = await readiness(place, { approvals: 1 });
    expect(blocked_by).toMatchObject([{ reason: 'changes_requested', names: [second.name] }]);
    expect(await reasons(place, {})).toEqual([]);
    await review(place, second, 'APPROVE');
    expect(await reasons(place, { approvals: 1 })).toEqual([]);
  });

  test('are still listed as missing on a draft, but not on a closed request', async () => {
    const place = await opened(service, client, { draft: true });
    expect(await reasons(place, { approvals: 1 })).toEqual(['draft', 'approvals']);
    await ask(place, 'PATCH', place.number, { state: 'closed' });
    expect(await reasons(place, { approvals: 1 })).toEqual(['closed', 'draft']);
  });
});

describe('owners of files', () => {
  /** A request that changes `/src/a.ts` and `/docs/b.md`; `owners` is CODEOWNERS of the target. */
  const owned = async (names: (people: TestUser[]) => string, place = '.github/CODEOWNERS') => {
    const people = [await service.createUser(), await service.createUser()];
    const files = {
      base: { 'src/a.ts': 'a\n', 'docs/b.md': 'b\n', 'x.txt': 'x\n', [place]: names(people) },
      ours: { 'ours.txt': 'ours\n' },
      theirs: { 'src/a.ts': 'A\n', 'docs/b.md': 'B\n', 'x.txt': 'X\n', CODEOWNERS: '' },
    };
    const request = await opened(service, client, { files });
    for (const user of people) await addCollaborator(service, request.projectId, user, { role: 'editor' });
    return { request, people: people as [TestUser, TestUser] };
  };

  test('must approve, one for each file, as named by the owners file of the target and not of the request', async () => {
    const { request, people } = await owned(
      ([one, other]) => `/src/ @${one?.username}\n/docs/ ${other?.email} @${one?.username}\n`,
    );
    const rule = { owners: true };
    const [one, other] = people;
    expect((await readiness(request, rule)).blocked_by).toEqual([
      {
        reason: 'owners',
        message: 'An owner must approve the changes to /docs/b.md and 1 more',
        names: [other.email, `@${one.username}`],
      },
    ]);
    await review(request, other, 'APPROVE');
    expect((await readiness(request, rule)).blocked_by).toMatchObject([
      { message: 'An owner must approve the changes to /src/a.ts', names: [`@${one.username}`] },
    ]);
    await review(request, one, 'APPROVE');
    expect(await readiness(request, rule)).toMatchObject({ ready: true });
  });

  test('are those of the last matching line, whether in upper or lower case', async () => {
    const { request, people } = await owned(
      ([one, other]) => `* @${one?.username}\n* @${other?.username.toUpperCase()}\n`,
    );
    await review(request, people[0], 'APPROVE');
    expect(await reasons(request, { owners: true })).toEqual(['owners']);
    await review(request, people[1], 'APPROVE');
    expect(await reasons(request, { owners: true })).toEqual([]);
  });

  test('who cannot approve are listed, and nobody has to approve in their place', async () => {
    const { request } = await owned(() => '* @nobody-here team@example.com @org/team\n');
    expect(await readiness(request, { owners: true })).toMatchObject({
      ready: true,
      unknown_owners: ['@nobody-here', 'team@example.com', '@org/team'],
    });
  });

  test('do not have to approve their own changes', async () => {
    const { request } = await owned(() => '');
    const { username } = request.user;
    await request.clone.git('checkout', '--quiet', 'main');
    await change(request.clone, 'Owners', { '.github/CODEOWNERS': `* @${username}\n` });
    await request.clone.git('push', '--quiet', 'origin', 'main');
    expect(await reasons(request, { owners: true })).toEqual([]);
  });

  test('are read from the first of four places, and only if the rule requires them', async () => {
    const { request, people } = await owned(([one]) => `* @${one?.username}\n`, 'docs/CODEOWNERS');
    expect(await reasons(request, { owners: true })).toEqual(['owners']);
    expect(await reasons(request, {})).toEqual([]);
    await request.clone.git('checkout', '--quiet', 'main');
    await change(request.clone, 'First', { CODEOWNERS: `/none @${people[1].username}\n` });
    await request.clone.git('push', '--quiet', 'origin', 'main');
    expect(await reasons(request, { owners: true })).toEqual([]);
  });

  test('block a request, with the reason, if their file cannot be used', async () => {
    const { request } = await owned(() => '* @a\n'.repeat(5_001));
    expect((await readiness(request, { owners: true })).blocked_by).toEqual([
      { reason: 'owners', message: '.github/CODEOWNERS cannot be used: it has more than 5000 lines', names: [] },
    ]);
    const large = await owned(() => `# ${'x'.repeat(3 * 2 ** 20)}\n`);
    expect((await readiness(large.request, { owners: true })).blocked_by).toMatchObject([
      { reason: 'owners', message: '.github/CODEOWNERS has more than 3 MiB' },
    ]);
  });
});

test('another manager of the project must approve, unless the project has no other manager', async () => {
  const place = await opened(service, client);
  const asks = async () => hasManagersApproval(service.db, await rowOf(place));
  const [one, admin] = [await editor(place), await service.createUser()];
  expect(await asks()).toBe(true);
  const role = await addCollaborator(service, place.projectId, admin, {
    role: 'admin',
    permissions: ['read', 'write', 'comment', 'manage'],
  });
  await review(place, one, 'APPROVE');
  expect(await asks()).toBe(false);
  await review(place, admin, 'APPROVE');
  expect(await asks()).toBe(true);
  await inProject(place, 'DELETE', `/collaborators/${role}`);
  expect(await asks()).toBe(true);
});
