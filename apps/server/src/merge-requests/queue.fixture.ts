import type { MergeReadiness, MergeRequest, RequestChecks } from '@bottega/contract';
import { expect } from 'vitest';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject, type Place, putFile } from '../testing/samples/sample-files.ts';
import type { TestService, TestUser } from '../testing/service/test-service.ts';
import { ask } from './merge-requests.fixture.ts';

export type Checked = Place & { user: TestUser };

/** Succeeds unless some file says that it is broken. */
export const testScript =
  'if grep -rq broken --include="*.txt" .; then echo "::error file=a.txt,line=1::broken"; exit 1; fi';

export const withChecks = (checks: Record<string, unknown>) => JSON.stringify({ checks });

/** A project whose only check looks at all files. */
export const checkedProject = (service: TestService, files: Record<string, string> = {}): Promise<Checked> =>
  projectOf(service, { '/a.txt': 'one\n', '/bottega.json': withChecks({ test: { run: testScript } }), ...files });

export async function ruled(place: Place, json: Record<string, unknown>): Promise<void> {
  const answer = await inProject(place, 'POST', '/branch-rules', { json: { pattern: 'main', ...json } });
  expect(answer.status, answer.text).toBe(201);
}

/** A request from a new branch that writes these files. */
export async function requestOf(place: Place, source: string, files: Record<string, string>): Promise<number> {
  for (const [path, content] of Object.entries(files)) await write(place, source, path, content);
  const answer = await ask(place, 'POST', '', { source, title: `Request ${source}` });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.number;
}

export async function write(place: Place, branch: string, path: string, content: string): Promise<void> {
  const { branch: _, ...bare } = place;
  const from = branch === 'main' ? {} : { branch, create_branch_from: 'main' };
  const answer = await putFile(bare, { path, content, ...from });
  expect([200, 201], answer.text).toContain(answer.status);
}

export async function queue(place: Place, number: number, json: Record<string, unknown> = {}): Promise<MergeRequest> {
  const answer = await ask(place, 'POST', `/${number}/queue`, json);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export const readRequest = async (place: Place, number: number): Promise<MergeRequest> =>
  (await ask(place, 'GET', number)).body;

export const untilMerged = (place: Place, number: number): Promise<MergeRequest> =>
  waitFor(`!${number} is merged`, async () => {
    const row = await readRequest(place, number);
    return row.state === 'merged' && row;
  });

/** Waits until a request is out of the queue without being merged. */
export const untilLeft = (place: Place, number: number): Promise<MergeRequest> =>
  waitFor(`!${number} has left the queue`, async () => {
    const row = await readRequest(place, number);
    return row.state === 'open' && row.queue === null && row;
  });

export const checksOf = async (place: Place, number: number): Promise<RequestChecks> =>
  (await ask<RequestChecks>(place, 'GET', `/${number}/checks`)).body;

export const untilChecked = (place: Place, number: number): Promise<RequestChecks> =>
  waitFor(`!${number} is checked`, async () => {
    const checks = await checksOf(place, number);
    return checks.state !== 'pending' && checks;
  });

export const readiness = async (place: Place, number: number): Promise<MergeReadiness> =>
  (await ask<MergeReadiness>(place, 'GET', `/${number}/merge`)).body;

export const reasonsOf = ({ blocked_by }: MergeReadiness): string[] => blocked_by.map(({ reason }) => reason);

/** How often something was run, and on how many trees. */
export async function runsIn({ service, projectId }: Place): Promise<{ runs: number; trees: number; starts: number }> {
  const { rows } = await service.pool.query(
    `select count(*)::int as runs, count(distinct tree_sha)::int as trees, sum(attempt)::int as starts
     from check_runs where project_id = $1`,
    [projectId],
  );
  return rows[0];
}
