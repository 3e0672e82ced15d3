import type { Project, ProjectListItem } from '@bottega/contract';
import { expect, test } from 'vitest';
import { readConfig } from '../foundation/config/index.ts';
import { transaction } from '../foundation/db/index.ts';
import { causeOfRun } from '../foundation/http/request/cause.ts';
import { call } from '../testing/clients/http-client.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { createEmptyProject } from './projects.create.ts';

const service = useTestService();
const names = (count: number) => Array.from({ length: count }, (_, n) => `Project ${n}`);
const post = (user: TestUser, json: object) =>
  call<Project>('POST', `${service.url}/v1/projects`, { token: user.key, json });
const list = async (user: TestUser, query: string) =>
  (
    await call<{ data: ProjectListItem[]; pagination: { total: number } }>(
      'GET',
      `${service.url}/v1/projects${query}`,
      { token: user.key },
    )
  ).body;

test('projects requested at the same time are all created, each with its own answer and event', async () => {
  const users = [await service.createUser(), await service.createUser()] as const;
  const answers = await Promise.all(
    names(40).map((name, n) => post(users[n % 2 === 0 ? 0 : 1], { name, description: `The ${n}th` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(names(40).map(() => 201));
  expect(answers.map(({ body }) => body.name)).toEqual(names(40));
  expect(answers.map(({ body }) => body.owner.id)).toEqual(names(40).map((_, n) => users[n % 2 === 0 ? 0 : 1].id));
  for (const [which, user] of users.entries()) {
    const { data, pagination } = await list(user, '?limit=100&search=The');
    expect(pagination.total).toBe(20);
    const listed = data.map(({ name }) => name).sort();
    expect(listed).toEqual(
      names(40)
        .filter((_, n) => n % 2 === which)
        .sort(),
    );
  }
  const ids = answers.map(({ body }) => body.id);
  const events = await service.db
    .selectFrom('events')
    .select(['project_id', 'actor_id', 'request_id', 'data'])
    .where('type', '=', 'project.created')
    .where('project_id', 'in', ids)
    .execute();
  expect(events).toHaveLength(40);
  for (const { status, body, headers } of answers) {
    const event = events.find(({ project_id }) => project_id === body.id);
    expect({ status, actor: event?.actor_id, request: event?.request_id }).toEqual({
      status: 201,
      actor: body.owner.id,
      request: headers.get('x-request-id'),
    });
    expect(event?.data).toMatchObject({ project_name: body.name, owner: { id: body.owner.id } });
  }
});

test('the limit of a plan holds for projects that are created at the same time', async () => {
  const user = await service.createUser();
  const limits = { ...readConfig({}).plans.free, projects: 55 };
  const owner = { userId: user.id, plan: 'free' as const };
  const cause = causeOfRun(user.id);
  const create = (name: string) =>
    transaction(service.db, (trx) => createEmptyProject(trx, owner, { name }, { limits, cause }));
  const outcomes = await Promise.allSettled(names(70).map(create));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.message);
  expect(refused).toEqual(names(15).map(() => 'The free plan allows 55 projects'));
  expect((await list(user, '')).pagination.total).toBe(55);
});
