import type { Workspace, WorkspaceCommandResult } from '@bottega/contract';
import { expect } from 'vitest';
import type { Reached } from '../service/test-service.ts';
import { buildSettings } from './sample-deployments.ts';
import { inProject, type Place } from './sample-files.ts';

/** Programs that a workspace needs. */
export const workspacePrograms = ['bwrap', 'prlimit', 'setpriv', 'unshare'] as const;

export const workspaceSettings = { ...buildSettings, BOTTEGA_WORKSPACES_FREE: '5' };

/** A workspace of a project, and the project's place. */
export type InWorkspace = Place<Reached> & { workspace: Workspace };

export async function newWorkspace(place: Place<Reached>, fields: Record<string, unknown> = {}): Promise<InWorkspace> {
  const answer = await inProject<Workspace>(place, 'POST', '/workspaces', { json: fields });
  expect(answer.status, answer.text).toBe(201);
  return { ...place, workspace: answer.body };
}

/** One request below a workspace. */
export const inWorkspace = <Body = Record<string, unknown>>(
  at: InWorkspace,
  method: string,
  path: string,
  json?: Record<string, unknown>,
) => inProject<Body>(at, method, `/workspaces/${at.workspace.id}${path}`, json === undefined ? {} : { json });

/** Runs a command to its end. */
export async function run(
  at: InWorkspace,
  command: string,
  fields: Record<string, unknown> = {},
): Promise<WorkspaceCommandResult> {
  const answer = await inWorkspace<WorkspaceCommandResult>(at, 'POST', '/commands', { command, ...fields });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
