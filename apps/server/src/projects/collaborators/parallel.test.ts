import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import { ask, eventsOf } from '../../testing/samples/sample-collaborators.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const numRuns = fuzzRuns(250, 15);

const service = useTestService({ role: 'api' });
let owner: TestUser;
let admin: TestUser;
let ada: TestUser;
beforeAll(async () => {
  [owner, admin, ada] = [await service.createUser(), await service.createUser(), await service.createUser()];
});

const steps = [
  'invite',
  'invite as admin',
  'accept',
  'accept by link',
  'decline',
  'promote',
  'narrow',
  'remove',
  'leave',
  'resend',
  'offer',
  'take over',
  'archive',
  'activate',
] as const;
type Step = (typeof steps)[number];

/** What the person's client knows: the state when it last looked. */
type World = { projectId: string; row: string; token: string };

function request({ projectId, row, token }: World, step: Step): [TestUser, string, string, unknown?] {
  const people = `/projects/${projectId}/collaborators`;
  const project = `/projects/${projectId}`;
  const requests: Record<Step, [TestUser, string, string, unknown?]> = {
    invite: [owner, 'POST', people, { email: ada.email, role: 'editor' }],
    'invite as admin': [admin, 'POST', people, { email: ada.email, role: 'admin' }],
    accept: [ada, 'POST', `${people}/${row}/accept`],
    'accept by link': [ada, 'POST', `/invitations/${token}/accept`],
    decline: [ada, 'POST', `${people}/${row}/decline`],
    promote: [owner, 'PATCH', `${people}/${row}`, { role: 'admin' }],
    narrow: [owner, 'PATCH', `${people}/${row}`, { permissions: ['read'] }],
    remove: [owner, 'DELETE', `${people}/${row}`],
    leave: [ada, 'DELETE', `${people}/${row}`],
    resend: [admin, 'POST', `${people}/${row}/resend`],
    offer: [owner, 'POST', `${project}/transfer`, { user_id: ada.id }],
    'take over': [ada, 'POST', `${project}/transfer/accept`],
    archive: [owner, 'PATCH', project, { status: 'archived' }],
    activate: [owner, 'PATCH', project, { status: 'active' }],
  };
  return requests[step];
}

async function newWorld(): Promise<World> {
  const { id: projectId } = await createProject(service, owner);
  const people = `/projects/${projectId}/collaborators`;
  const { body } = await ask<{ id: string }>(service, owner, ['POST', people, { email: admin.email, role: 'admin' }]);
  await ask(service, admin, ['POST', `${people}/${body.id}/accept`]);
  return { projectId, row: 'col_00000000000000000000000000', token: 'A'.repeat(43) };
}

async function runTogether(world: World, together: readonly Step[]): Promise<void> {
  const answers = await Promise.all(
    together.map((step) => {
      const [user, ...rest] = request(world, step);
      return ask<{ invitation_url?: string }>(service, user, rest);
    }),
  );
  for (const [index, { status, text, body }] of answers.entries()) {
    expect(status, `${together[index]}: ${text}`).toBeLessThan(500);
    const token = body.invitation_url?.split('/').at(-1);
    if (token) world.token = token;
  }
  const rows = await service.pool.query('select id from collaborators where project_id = $1 and user_id = $2', [
    world.projectId,
    ada.id,
  ]);
  if (rows.rows[0]) world.row = rows.rows[0].id;
}

/** What must hold when nothing is in progress, whatever happened and in any order. */
async function expectLegal({ projectId }: World): Promise<void> {
  const { rows } = await service.pool.query(
    `select p.owner_id, s.collaborators_count,
       array(select user_id from collaborators c where c.project_id = p.id and status = 'active' order by 1) as active,
       array(select user_id from collaborators c where c.project_id = p.id order by 1) as known,
       array(select user_id from project_listing l where l.project_id = p.id order by 1) as listed,
       array(select user_id from project_listing l where l.project_id = p.id and owned) as owners
     from projects p join project_stats s on s.project_id = p.id where p.id = $1`,
    [projectId],
  );
  const [state] = rows;
  expect(new Set(state.known).size, 'one row a person').toBe(state.known.length);
  expect(state.known, 'an owner is no collaborator').not.toContain(state.owner_id);
  expect(state.collaborators_count).toBe(state.active.length);
  expect(state.listed).toEqual([...state.active, state.owner_id].sort());
  expect(state.owners).toEqual([state.owner_id]);
  const joined = new Set<string>();
  for (const { type, data } of await eventsOf(service, projectId, 'collaboration.%')) {
    const { collaborator } = data as { collaborator?: { id: string } };
    if (type === 'collaboration.joined') joined.add(collaborator?.id ?? '');
    if (type === 'collaboration.left') joined.delete(collaborator?.id ?? '');
  }
  expect([...joined].sort(), 'who joined and did not leave collaborates').toEqual(state.active);
}

async function expectExactTotals(): Promise<void> {
  const { rows } = await service.pool.query(
    `select u.id,
       (select coalesce(sum(active + archived), 0)::int from project_counters c where c.user_id = u.id) as counted,
       (select coalesce(sum(owned), 0)::int from project_counters c where c.user_id = u.id) as owned,
       (select count(*)::int from project_listing l where l.user_id = u.id) as listed,
       (select count(*)::int from projects p where p.owner_id = u.id and deleted_at is null) as theirs
     from users u`,
  );
  for (const row of rows) expect([row.counted, row.owned]).toEqual([row.listed, row.theirs]);
}

test('parallel invitations, answers, changes, removals and takeovers of one person end in a legal state', async () => {
  const step = fc.constantFrom(...steps);
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(batches, async (sequence) => {
      const world = await newWorld();
      for (const together of [['invite'] as const, ...sequence]) {
        await runTogether(world, together);
        await expectLegal(world);
      }
    }),
    { seed: fuzzSeed, numRuns },
  );
  await expectExactTotals();
});

test('of ten parallel invitations only one is created, and of ten parallel acceptances only one succeeds', async () => {
  const world = await newWorld();
  const path = `/projects/${world.projectId}/collaborators`;
  const invited = await Promise.all(
    Array.from({ length: 10 }, () => ask(service, owner, ['POST', path, { email: 'new@example.com' }])),
  );
  expect(invited.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  await runTogether(world, ['invite']);
  const accepted = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const [user, ...rest] = request(world, index % 2 ? 'accept' : 'accept by link');
      return ask(service, user, rest);
    }),
  );
  expect(accepted.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await eventsOf(service, world.projectId, 'collaboration.joined')).toHaveLength(2);
  await expectLegal(world);
});
