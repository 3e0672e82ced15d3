import type { CheckAnnotation, CheckRun, CommitChecks, LogEntry } from '@bottega/contract';
import { expect } from 'vitest';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject, type Place } from '../testing/samples/sample-files.ts';
import type { Reached, TestService, TestUser } from '../testing/service/test-service.ts';

/** A project whose bottega.json has these checks. A text is the command alone. */
export function projectWithChecks(
  service: TestService,
  checks: Record<string, string | Record<string, unknown>>,
  files: Record<string, string> = {},
  owner?: TestUser,
): Promise<Place & { user: TestUser }> {
  return projectOf(service, { '/bottega.json': projectFile(checks), ...files }, owner);
}

export const projectFile = (checks: Record<string, string | Record<string, unknown>>): string =>
  JSON.stringify({
    checks: Object.fromEntries(
      Object.entries(checks).map(([name, check]) => [name, typeof check === 'string' ? { run: check } : check]),
    ),
  });

/** Asks for checks, which must succeed. Returns them by their names. */
export async function wantAll(
  place: Place<Reached>,
  json: Record<string, unknown> = {},
): Promise<Record<string, CheckRun>> {
  const answer = await inProject<CommitChecks>(place, 'POST', '/checks/run', { json });
  expect(answer.status, answer.text).toBe(201);
  return Object.fromEntries(answer.body.data.map((run) => [run.name, run]));
}

export async function readCheck(place: Place<Reached>, id: string): Promise<CheckRun> {
  const answer = await inProject<CheckRun>(place, 'GET', `/checks/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export const untilCompleted = (place: Place<Reached>, id: string): Promise<CheckRun> =>
  waitFor(`check ${id} is completed`, async () => {
    const run = await readCheck(place, id);
    return run.status === 'completed' && run;
  });

/** Runs the checks of `main` and waits until all are completed. */
export async function checked(
  place: Place<Reached>,
  json: Record<string, unknown> = {},
): Promise<Record<string, CheckRun>> {
  const wanted = Object.values(await wantAll(place, json));
  const ended = await Promise.all(wanted.map(({ id }) => untilCompleted(place, id)));
  return Object.fromEntries(ended.map((run) => [run.name, run]));
}

export async function checkLog(place: Place<Reached>, id: string): Promise<LogEntry[]> {
  const answer = await inProject<{ logs: LogEntry[] }>(place, 'GET', `/checks/${id}/logs`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.logs;
}

export const checkText = async (place: Place<Reached>, id: string): Promise<string> =>
  (await checkLog(place, id)).map(({ message }) => message).join('\n');

export async function annotationsOf(place: Place<Reached>, id: string): Promise<CheckAnnotation[]> {
  const answer = await inProject<{ data: CheckAnnotation[] }>(place, 'GET', `/checks/${id}/annotations`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** Asks for something to be done with a check. */
export const act = (place: Place<Reached>, id: string, action: 'rerun' | 'cancel') =>
  inProject<CheckRun>(place, 'POST', `/checks/${id}/${action}`);
