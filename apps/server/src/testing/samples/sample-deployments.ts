import { type IncomingHttpHeaders, request } from 'node:http';
import type { Deployment, LogEntry, PutVariable, Variable } from '@bottega/contract';
import { expect } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { waitFor } from '../parts/wait-for.ts';
import { testBuildDir } from '../service/build-dir.ts';
import type { Reached, TestService, TestUser } from '../service/test-service.ts';
import { commit, inProject, newPlace, type Place } from './sample-files.ts';

/** A directory that the build users can reach when tests run as root; the same for all tests. */
export const buildSettings = { BOTTEGA_BUILD_DIR: testBuildDir };

/** A project with these files in one commit. */
export async function projectOf<Service extends Pick<TestService, 'url' | 'createUser'>>(
  service: Service,
  files: Record<string, string>,
  owner?: TestUser,
  fields: Record<string, unknown> = {},
): Promise<Place<Service> & { user: TestUser }> {
  const place = await newPlace(service, fields, owner);
  const changes = Object.entries(files).map(([path, content]) => ({ action: 'create', path, content }));
  const answer = await commit(place, changes, { message: 'Begin' });
  expect(answer.status, answer.text).toBe(201);
  return place;
}

export async function deploy(place: Place<Reached>, json: Record<string, unknown> = {}): Promise<Deployment> {
  const answer = await inProject<Deployment>(place, 'POST', '/deployments', { json });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export async function setVariable(place: Place, name: string, json: PutVariable): Promise<Variable> {
  const answer = await inProject<Variable>(place, 'PUT', `/variables/${name}`, { json });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** A deployment that waits behind a build whose worker does not exist. */
export async function waitingDeployment(place: Place, environment: string): Promise<Deployment> {
  await place.service.pool.query(
    `insert into deployments
       (id, project_id, build_id, environment, trigger, branch, tree_sha, status, worker_id, lease_until)
     values ($1, $2, $3, $4, 'api', 'main', '', 'building', 'nobody', now() + interval '1 hour')`,
    [newId('dep'), place.projectId, newId('bld'), environment],
  );
  return deploy(place, { environment });
}

export async function readDeployment(place: Place<Reached>, id: string): Promise<Deployment> {
  const answer = await inProject<Deployment>(place, 'GET', `/deployments/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Waits until a deployment is neither pending nor building, as an API client does. */
export function untilEnded(place: Place<Reached>, id: string, timeoutMs = 60_000): Promise<Deployment> {
  return waitFor(
    `deployment ${id} ends`,
    async () => {
      const deployment = await readDeployment(place, id);
      return !['pending', 'building'].includes(deployment.status) && deployment;
    },
    timeoutMs,
  );
}

export const deployed = async (place: Place<Reached>, json: Record<string, unknown> = {}): Promise<Deployment> =>
  untilEnded(place, (await deploy(place, json)).id);

export async function logsOf(place: Place, id: string, query = ''): Promise<LogEntry[]> {
  const answer = await inProject<{ logs: LogEntry[] }>(place, 'GET', `/deployments/${id}/logs${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.logs;
}

export const textOf = (logs: LogEntry[]): string => logs.map(({ message }) => message).join('\n');

export type Page = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string };

/** A visit as a browser makes it: the host's name is in the header, whatever it resolves to. */
export function visit(url: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Page> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const place = /(^|\.)localhost$/.test(hostname) ? '127.0.0.1' : hostname;
  return new Promise((resolve, reject) => {
    const asked = request({
      host: place,
      port,
      path: pathname + search,
      method,
      headers: { host, ...headers },
      agent: false,
    });
    asked.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const all = Buffer.concat(chunks);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: all, text: all.toString() });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
