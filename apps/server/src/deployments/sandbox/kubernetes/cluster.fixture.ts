import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { makeCertificates } from '../engine-by-tls.fixture.ts';
import type { Podman } from '../podman.fixture.ts';
import type { ClusterAddress } from './cluster.ts';
import { type JobObject, podsOnPodman } from './pods-on-podman.fixture.ts';
import { serveExecution } from './served-execution.fixture.ts';

export type TestCluster = ClusterAddress & {
  /** Verbs and resources that the account may not use, as `create jobs`. */
  refused: Set<string>;
  hasPolicy: boolean;
  jobs: Map<string, JobObject>;
  close(): Promise<void>;
};

/**
 * The part of the API of Kubernetes that the driver uses, over TLS and with a token. Each pod is containers of Podman, or
 * nothing at all where none is given: what is asked for is then seen, and never runs.
 */
export async function startTestCluster(podman: Podman | null): Promise<TestCluster> {
  const account = await mkdtemp(join(tmpdir(), 'bottega-cluster-'));
  const file = (name: string) => join(account, name);
  await makeCertificates(account);
  await writeFile(file('ca.crt'), await readFile(file('ca.pem')));
  await writeFile(file('token'), 'the-token\n');
  await writeFile(file('namespace'), 'builds\n');
  const pods = podsOnPodman(podman, account);
  const cluster = { refused: new Set<string>(), hasPolicy: true, jobs: pods.jobs };
  const [cert, key] = await Promise.all([readFile(file('server-cert.pem')), readFile(file('server-key.pem'))]);
  const server = createServer({ cert, key }, async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const answer = await respond(request.method ?? '', new URL(request.url ?? '', 'https://cluster'), text).catch(
      (error: Error) => refusal(500, error.message),
    );
    const isKnown = request.headers.authorization === 'Bearer the-token';
    const [status, body] = isKnown ? answer : refusal(401, 'Unauthorized');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  async function respond(method: string, { pathname, searchParams }: URL, text: string): Promise<Answer> {
    const [kind = '', name] = pathname.split('/').slice(pathname.startsWith('/apis/') ? 6 : 5);
    if (pathname.endsWith('/selfsubjectaccessreviews')) {
      const { verb, resource, subresource } = JSON.parse(text).spec.resourceAttributes;
      const asked = `${verb} ${subresource ? `${resource}/${subresource}` : resource}`;
      return [201, { status: { allowed: !cluster.refused.has(asked) } }];
    }
    if (kind === 'networkpolicies') {
      const words = `networkpolicies.networking.k8s.io "${name}" not found`;
      return cluster.hasPolicy ? [200, {}] : refusal(404, words);
    }
    if (kind === 'pods')
      return [200, { items: await pods.list(searchParams.get('labelSelector')?.split('=')[1] ?? '') }];
    if (kind !== 'jobs') return refusal(404, 'the server could not find the requested resource');
    if (method === 'POST') return [201, await pods.create(JSON.parse(text))];
    if (method === 'GET') return [200, { items: [...pods.jobs.values()] }];
    if (!pods.jobs.has(name ?? '')) return refusal(404, `jobs.batch "${name}" not found`);
    await pods.remove(name ?? '');
    return [200, {}];
  }

  const sockets = new WebSocketServer({ server, handleProtocols: () => 'v5.channel.k8s.io' });
  sockets.on('connection', (socket, { url = '' }) => {
    const { pathname, searchParams } = new URL(url, 'https://cluster');
    const container = `${pathname.split('/')[6]}_${searchParams.get('container')}`;
    if (podman) serveExecution(socket, podman.spawn('exec', '-i', container, ...searchParams.getAll('command')));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(cluster, {
    ...{ url, account, namespace: null },
    async close() {
      for (const name of [...pods.jobs.keys()]) await pods.remove(name);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(account, { recursive: true, force: true });
    },
  });
}

type Answer = [number, object];

const refusal = (code: number, message: string): Answer => [code, { kind: 'Status', status: 'Failure', message, code }];
