import type { MergeRequest } from '@bottega/contract';
import { expect } from 'vitest';
import { type Branched, branched, type Sides } from '../repository/merging/merging.fixture.ts';
import type { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import type { Answer } from '../testing/clients/http-client.ts';
import { inProject, type Place } from '../testing/samples/sample-files.ts';
import type { TestService } from '../testing/service/test-service.ts';

const sides = {
  base: { 'a.txt': '1\n2\n3\n4\n5\n' },
  ours: { 'b.txt': 'ours\n' },
  theirs: { 'a.txt': '1\n2\nthree\n4\n5\n' },
};

export type Opened = Branched & { number: number };

/** A request below `/merge-requests`. */
export const ask = <Body = MergeRequest>(
  place: Place,
  method: string,
  path: string | number = '',
  json?: Record<string, unknown>,
): Promise<Answer<Body>> => {
  const address = `/merge-requests${typeof path === 'number' ? `/${path}` : path}`;
  return inProject<Body>(place, method, address, json === undefined ? {} : { json });
};

/** An open merge request from `feature` to `main`, which have one commit each. */
export async function opened(
  service: TestService,
  client: ReturnType<typeof useGitClient>,
  { files = sides, ...json }: Record<string, unknown> & { files?: Sides } = {},
): Promise<Opened> {
  const place = await branched(service, client, files);
  const answer = await ask(place, 'POST', '', { source: 'feature', title: 'Say three', ...json });
  expect(answer.status, answer.text).toBe(201);
  return { ...place, number: answer.body.number };
}

export async function push({ clone }: Branched, ...options: string[]): Promise<void> {
  await clone.git('push', '--quiet', ...options, 'origin', 'feature');
}
