import type { Commit, Comparison, CreateMerge, MergeDetails } from '@bottega/contract';
import { expect } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import type { Answer } from '../../testing/clients/http-client.ts';
import { inProject, newPlace, type Place } from '../../testing/samples/sample-files.ts';
import type { TestService, TestUser } from '../../testing/service/test-service.ts';
import type { Clone, useGitClient } from '../smart-http/git-client.fixture.ts';

type GitClient = ReturnType<typeof useGitClient>;

/** A project and a clone of it. `change` commits to branches of the clone and pushes them. */
export type Branched = Place & { user: TestUser; clone: Clone };

/** `main` and `feature` share one commit, and then have one commit each. Null deletes a file. */
export type Sides = { base: Files; ours: Files; theirs: Files };
type Files = Record<string, string | Buffer | null>;

export async function branched(
  service: TestService,
  client: GitClient,
  sides: Sides,
  account: { plan?: 'pro' } = {},
): Promise<Branched> {
  const place = await newPlace(service, {}, await service.createUser(account));
  const clone = await client.clone(place.projectId, place.user);
  await change(clone, 'Base', sides.base);
  await clone.git('checkout', '--quiet', '-b', 'feature');
  await change(clone, 'Theirs', sides.theirs);
  await clone.git('checkout', '--quiet', 'main');
  await change(clone, 'Ours', sides.ours);
  await clone.git('push', '--quiet', 'origin', 'main', 'feature');
  return { ...place, clone };
}

export async function change(clone: Clone, message: string, files: Files): Promise<string> {
  for (const [path, content] of Object.entries(files)) if (content === null) await clone.git('rm', '--quiet', path);
  const kept = Object.entries(files).filter((entry): entry is [string, string | Buffer] => entry[1] !== null);
  return clone.commit(message, Object.fromEntries(kept));
}

export const merge = (place: Place, json: Partial<CreateMerge> = {}, headers: Record<string, string> = {}) =>
  inProject<Commit>(place, 'POST', '/merges', { json: { source: 'feature', target: 'main', ...json }, headers });

export async function merged(place: Place, json: Partial<CreateMerge> = {}): Promise<Commit> {
  const answer = await merge(place, json);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** Why a merge was refused. Fails if it was not. */
export function refusalIn(answer: Answer<unknown>): MergeDetails {
  expectError(answer, { status: 409, code: 'CONFLICT' });
  return (answer.body as { error: { details: MergeDetails } }).error.details;
}

export const compare = (place: Place, query: string) => inProject<Comparison>(place, 'GET', `/compare?${query}`);

export async function compared(place: Place, query = 'base=main&head=feature'): Promise<Comparison> {
  const answer = await compare(place, query);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
