import type { MergeRequest, Project } from '@bottega/contract';
import { expect } from 'vitest';
import { waitFor } from '../testing/parts/wait-for.ts';
import { inProject, type Place } from '../testing/samples/sample-files.ts';
import { onProject } from '../testing/samples/sample-projects.ts';
import type { TestService, TestUser } from '../testing/service/test-service.ts';
import { ask } from './merge-requests.fixture.ts';
import { checkedProject, readRequest, write } from './queue.fixture.ts';

export type Forked = {
  /** The project, as its owner sees it. */
  project: Place & { user: TestUser };
  /** The same project, as somebody sees it who can only read it. */
  outside: Place & { user: TestUser };
  fork: Place & { user: TestUser };
};

/** A public project, and a fork of it by somebody else. */
export async function forked(service: TestService, files: Record<string, string> = {}): Promise<Forked> {
  const project = await checkedProject(service, files);
  await onProject(service, project.user, project.projectId, ['PATCH', { settings: { public: true } }]);
  const outside = { ...project, user: await service.createUser() };
  const made = await inProject<Project>(outside, 'POST', '/fork', { json: {} });
  expect(made.status, made.text).toBe(201);
  return { project, outside, fork: { ...outside, projectId: made.body.id } };
}

export const offer = ({ outside, fork }: Forked, json: Record<string, unknown> = {}) =>
  ask(outside, 'POST', '', { source: 'feature', source_project: fork.projectId, title: 'From outside', ...json });

/** A request from a new branch of the fork that writes these files. */
export async function offered(place: Forked, files: Record<string, string>, source = 'feature'): Promise<MergeRequest> {
  for (const [path, content] of Object.entries(files)) await write(place.fork, source, path, content);
  const answer = await offer(place, { source });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** Reading the request makes the service look at the fork. */
export const untilVersion = (place: Place, number: number, version: number): Promise<MergeRequest> =>
  waitFor(`!${number} has version ${version}`, async () => {
    const row = await readRequest(place, number);
    return row.version === version && row;
  });
