import type { Commit, File, WrittenFile } from '@bottega/contract';
import { expect } from 'vitest';
import { type Answer, call } from '../clients/http-client.ts';
import type { Reached, TestService, TestUser } from '../service/test-service.ts';
import { createProject } from './sample-projects.ts';

/** A project, and the user who works in it. With a branch, every request about files and commits names it. */
export type Place<Service extends Reached = TestService> = {
  service: Service;
  user: Pick<TestUser, 'key'>;
  projectId: string;
  branch?: string;
};
export type Sent = {
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};

/** A new project, of a new user unless one is given. */
export async function newPlace<Service extends Pick<TestService, 'url' | 'createUser'>>(
  service: Service,
  fields: Record<string, unknown> = {},
  owner?: TestUser,
): Promise<Place<Service> & { user: TestUser }> {
  const user = owner ?? (await service.createUser());
  return { service, user, projectId: (await createProject(service, user, fields)).id };
}

/** A branch of a new project, without files. Main has a commit that made one, and one that deleted it. */
export async function newBranchPlace<Service extends Pick<TestService, 'url' | 'createUser'>>(
  service: Service,
  branch = 'feature',
): Promise<Place<Service> & { user: TestUser; branch: string }> {
  const place = await newPlace(service);
  const { id } = await writeFile(place, '/first');
  expect((await inProject(place, 'DELETE', `/files/${id}`)).status).toBe(204);
  expect((await inProject(place, 'POST', '/branches', { json: { name: branch } })).status).toBe(201);
  return { ...place, branch };
}

/** One request below `/v1/projects/{id}`. */
export function inProject<Body = Record<string, unknown>>(
  { service, user, projectId, branch }: Place<Reached>,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Answer<Body>> {
  const about = branch === undefined ? { path, sent } : onBranch(branch, path, sent);
  return call<Body>(method, `${service.url}/v1/projects/${projectId}${about.path}`, { token: user.key, ...about.sent });
}

/** Adds the branch to a request: to its JSON body or, if it has none, to its URL. */
function onBranch(branch: string, path: string, sent: Sent): { path: string; sent: Sent } {
  if (!/^\/(files|commits|search)\b/.test(path) || /[?&](ref|branch)=/.test(path)) return { path, sent };
  if (sent.json !== undefined) return { path, sent: { ...sent, json: { branch, ...(sent.json as object) } } };
  return { path: `${path}${path.includes('?') ? '&' : '?'}branch=${encodeURIComponent(branch)}`, sent };
}

export function putFile(place: Place<Reached>, json: Record<string, unknown>, headers: Record<string, string> = {}) {
  return inProject<WrittenFile>(place, 'PUT', '/files', { json, headers });
}

/** Writes a file as a user does; it must succeed. */
export async function writeFile(place: Place<Reached>, path: string, content = 'text\n'): Promise<WrittenFile> {
  const answer = await putFile(place, { path, content });
  expect([200, 201], answer.text).toContain(answer.status);
  return answer.body;
}

export async function listFiles(place: Place<Reached>, query = '?recursive=true'): Promise<File[]> {
  const answer = await inProject<{ data: File[] }>(place, 'GET', `/files${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

export async function listPaths(place: Place<Reached>, query?: string): Promise<string[]> {
  return (await listFiles(place, query)).map(({ path }) => path);
}

export async function idAt(place: Place<Reached>, path: string): Promise<string> {
  const file = (await listFiles(place)).find((one) => one.path === path);
  return file?.id ?? `nothing at ${path}`;
}

/** The content at a path, as text. */
export async function contentAt(place: Place<Reached>, path: string): Promise<string> {
  const answer = await inProject(place, 'GET', `/files/${await idAt(place, path)}/content`);
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
}

type Change = { action: string; path: string; new_path?: string; content?: string; encoding?: string };

export function commit(place: Place<Reached>, changes: Change[], sent: { message?: string; key?: string } = {}) {
  const { message, key } = sent;
  return inProject<Commit>(place, 'POST', '/commits', {
    json: { changes, ...(message !== undefined && { message }) },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
}

export type CommitPage = { data: Commit[]; pagination: { page: number; total: number; total_pages: number } };

/** The commits, newest first. */
export async function history(place: Place<Reached>, query = '?limit=100'): Promise<CommitPage> {
  const answer = await inProject<CommitPage>(place, 'GET', `/commits${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
