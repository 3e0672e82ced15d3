import type { BranchRule, CreateBranchRule } from '@bottega/contract';
import { expect } from 'vitest';
import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { detailsOf, expectError } from '../../testing/clients/expect-error.ts';
import type { Answer } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { inProject, type Place } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import type { TestService, TestUser } from '../../testing/service/test-service.ts';
import { createBranchRule } from './rules.service.ts';

export const createRule = (place: Place, json: Record<string, unknown>) =>
  inProject<BranchRule>(place, 'POST', '/branch-rules', { json });

/** Adds a rule; it must succeed. */
export async function addRule(place: Place, json: Record<string, unknown>): Promise<BranchRule> {
  const answer = await createRule(place, json);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export const protect = (place: Place, pattern = 'main') => addRule(place, { pattern, no_direct_push: true });

export function expectProtected(answer: Answer<unknown>, branch = 'main'): void {
  expectError(answer, { status: 409, code: 'CONFLICT' });
  expect(detailsOf(answer)).toEqual({ reason: 'protected_branch', branch });
}

/** A new member who may write. */
export async function newEditor(service: TestService, projectId: string): Promise<TestUser> {
  const user = await service.createUser();
  await addCollaborator(service, projectId, user, { role: 'editor', permissions: ['read', 'write', 'comment'] });
  return user;
}

/** Adds a rule while the given work waits for the lock of the project. */
export async function whileAdding<Result>(
  service: TestService,
  { projectId, user }: { projectId: string; user: TestUser },
  rule: CreateBranchRule,
  work: () => Promise<Result>,
): Promise<Result> {
  let begun: Promise<Result> | undefined;
  await transaction(service.db, async (trx) => {
    const principal = { userId: user.id } as Parameters<typeof createBranchRule>[1];
    await createBranchRule(trx, principal, projectId, rule, causeOfRun(user.id));
    begun = work();
    await waitFor('it waits for the project', async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return ((await service.pool.query(waiting)).rowCount ?? 0) > 0;
    });
  });
  return begun as Promise<Result>;
}
