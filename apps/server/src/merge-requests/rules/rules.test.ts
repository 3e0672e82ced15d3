import type { AuditEntry, BranchRule } from '@bottega/contract';
import { expect, test } from 'vitest';
import { conflicting, expectError, invalid, missing, refused } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { inProject, newPlace, type Place } from '../../testing/samples/sample-files.ts';
import { onProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { noRule, ruleOf } from './index.ts';
import { addRule, createRule, newEditor } from './rules.fixture.ts';

const service = useTestService();

const listed = async (place: Place) =>
  (await inProject<{ data: BranchRule[] }>(place, 'GET', '/branch-rules')).body.data;
const protectedIn = async ({ projectId }: Place) =>
  (
    await service.db
      .selectFrom('projects')
      .select('protected_branches')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
  ).protected_branches;

test('a rule is added with defaults, changed, listed and deleted', async () => {
  const place = await newPlace(service);
  const rule = await addRule(place, { pattern: 'main', approvals: 1 });
  expect(rule).toEqual({
    id: expect.stringMatching(/^brl_[0-9a-z]{26}$/),
    project_id: place.projectId,
    ...{ pattern: 'main', approvals: 1, owners: false, checks: [], no_direct_push: false, check_minutes: 60 },
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const one = `/branch-rules/${rule.id}`;
  const changed = await inProject<BranchRule>(place, 'PATCH', one, { json: { owners: true, checks: ['test'] } });
  expect(changed.body).toMatchObject({ approvals: 1, owners: true, checks: ['test'] });
  expect(await listed(place)).toEqual([changed.body]);
  expect((await inProject(place, 'DELETE', one)).status).toBe(204);
  expect(await listed(place)).toEqual([]);
  expectError(await inProject(place, 'DELETE', one), missing);
  expectError(await inProject(place, 'PATCH', '/branch-rules/nothing', { json: {} }), missing);
});

test('a project lists the patterns of its protected branches while their rules exist', async () => {
  const place = await newPlace(service);
  const rule = await addRule(place, { pattern: 'release/*', no_direct_push: true });
  await addRule(place, { pattern: 'main' });
  expect(await protectedIn(place)).toEqual(['release/*']);
  const main = (await listed(place)).find(({ pattern }) => pattern === 'main');
  await inProject(place, 'PATCH', `/branch-rules/${main?.id}`, { json: { no_direct_push: true } });
  expect(await protectedIn(place)).toEqual(['main', 'release/*']);
  await inProject(place, 'DELETE', `/branch-rules/${rule.id}`);
  await inProject(place, 'PATCH', `/branch-rules/${main?.id}`, { json: { no_direct_push: false } });
  expect(await protectedIn(place)).toEqual([]);
});

test.each(['a..b', '/main', 'main/', 'a//b', '.a', 'x.lock', 'a b', '-x'])(
  'the pattern %j is refused, because no branch can have such a name',
  async (pattern) => {
    const place = await newPlace(service);
    expectError(await createRule(place, { pattern }), { ...invalid, field: 'pattern' });
  },
);

test('a project has at most one rule for each pattern, and at most fifty rules', async () => {
  const place = await newPlace(service);
  await addRule(place, { pattern: 'main' });
  expectError(await createRule(place, { pattern: 'main' }), conflicting);
  const rows = Array.from({ length: 49 }, (_, index) => `b${index}`);
  for (const pattern of rows) await addRule(place, { pattern });
  expectError(await createRule(place, { pattern: 'one-more' }), conflicting);
});

test('editors can see rules but not change them, and rules of an archived project cannot be changed', async () => {
  const place = await newPlace(service);
  const rule = await addRule(place, { pattern: 'main' });
  const editor = { ...place, user: await newEditor(service, place.projectId) };
  expect(await listed(editor)).toHaveLength(1);
  expectError(await createRule(editor, { pattern: 'x' }), refused);
  expectError(await inProject(editor, 'PATCH', `/branch-rules/${rule.id}`, { json: {} }), refused);
  expectError(await inProject(editor, 'DELETE', `/branch-rules/${rule.id}`), refused);
  expectError(await createRule({ ...place, user: await service.createUser() }, { pattern: 'x' }), missing);
  await onProject(service, place.user, place.projectId, ['PATCH', { status: 'archived' }]);
  expectError(await createRule(place, { pattern: 'x' }), conflicting);
});

test('a rule of another project is not found', async () => {
  const place = await newPlace(service);
  const rule = await addRule(place, { pattern: 'main' });
  const other = await newPlace(service, {}, place.user);
  expectError(await inProject(other, 'PATCH', `/branch-rules/${rule.id}`, { json: { approvals: 3 } }), missing);
  expectError(await inProject(other, 'DELETE', `/branch-rules/${rule.id}`), missing);
  expect(await listed(place)).toMatchObject([{ approvals: 0 }]);
});

test('every change of a rule is in the audit log of the owner', async () => {
  const place = await newPlace(service);
  const { id } = await addRule(place, { pattern: 'main', approvals: 2 });
  await inProject(place, 'PATCH', `/branch-rules/${id}`, { json: { approvals: 1 } });
  await inProject(place, 'DELETE', `/branch-rules/${id}`);
  const log = await call<{ data: AuditEntry[] }>('GET', `${service.url}/v1/user/audit-log?limit=3`, {
    token: place.user.key,
  });
  const details = { project_id: place.projectId, pattern: 'main' };
  expect(log.body.data).toMatchObject([
    { action: 'branch_rule.deleted', subject_id: id, details },
    { action: 'branch_rule.changed', subject_id: id, details: { ...details, approvals: 1 } },
    { action: 'branch_rule.created', subject_id: id, details: { ...details, approvals: 2 } },
  ]);
});

test('if several patterns match a branch, the strictest value of each field counts', async () => {
  const place = await newPlace(service);
  await addRule(place, { pattern: '**', approvals: 1, checks: ['lint'], check_minutes: 30 });
  await addRule(place, { pattern: 'release/*', approvals: 2, checks: ['test', 'lint'], no_direct_push: true });
  await addRule(place, { pattern: 'release/1', owners: true, check_minutes: 90 });
  const rule = (branch: string) => ruleOf(service.db, place.projectId, branch);
  const checks = expect.arrayContaining(['lint', 'test']);
  expect(await rule('release/1')).toEqual({
    ...{ approvals: 2, owners: true, checks, no_direct_push: true, check_minutes: 30 },
  });
  expect((await rule('release/1')).checks).toHaveLength(2);
  expect(await rule('release/2')).toMatchObject({ approvals: 2, owners: false, check_minutes: 30 });
  expect(await rule('release/2/hotfix')).toMatchObject({ approvals: 1, no_direct_push: false });
  expect(await rule('main')).toMatchObject({ approvals: 1, checks: ['lint'] });
  expect(await ruleOf(service.db, (await newPlace(service)).projectId, 'main')).toEqual(noRule);
});
