import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';
import { isLoopback } from '../engine.ts';

/** Where a cluster is, as the settings say it. */
export type ClusterAddress = {
  url: string;
  /** Directory with `token`, `ca.crt` and `namespace`, as Kubernetes mounts it into a pod. */
  account: string;
  /** Null: the one that is named in that directory. */
  namespace: string | null;
};

export type Cluster = {
  namespace: string;
  /** Throws a `ClusterError` with the words of the cluster. */
  ask<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
  openSocket(path: string, protocol: string): Promise<WebSocket>;
};

export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const askMs = 30_000;

/**
 * The five calls that builds need, by the clients that are here anyway. The official client is 68 packages and takes 88 MB
 * once it is loaded.
 */
export async function connectCluster({ url, account, namespace }: ClusterAddress): Promise<Cluster> {
  const { protocol, hostname } = new URL(url);
  // The token goes with every request.
  if (protocol !== 'https:' && !isLoopback(hostname)) throw new Error(`${url} must begin with https://`);
  const read = (name: string) => readFile(join(account, name), 'utf8');
  const ca = await read('ca.crt').catch(() => undefined);
  const agent = new Agent({ connect: { ...(ca && { ca }) }, headersTimeout: askMs, bodyTimeout: askMs });
  // Kubernetes renews it in its place, so it is read each time.
  const authorization = async () => `Bearer ${(await read('token')).trim()}`;
  return {
    namespace: namespace ?? (await read('namespace')).trim(),
    async ask<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
      const { statusCode, body: answer } = await request(new URL(path, url), {
        method,
        dispatcher: agent,
        headers: {
          authorization: await authorization(),
          accept: 'application/json',
          'content-type': 'application/json',
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (statusCode >= 300) throw new ClusterError(statusCode, inWords(statusCode, text));
      return JSON.parse(text) as Answer;
    },
    openSocket: async (path, wanted) => {
      const headers = { authorization: await authorization() };
      const options = { headers, handshakeTimeout: askMs, perMessageDeflate: false, ...(ca && { ca }) };
      return opened(new WebSocket(new URL(path, url.replace(/^http/, 'ws')), wanted, options));
    },
  };
}

/** A refusal comes as an object of Kubernetes, or from a proxy as anything else. */
function inWords(status: number, text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? `HTTP ${status}`;
  } catch {
    return `HTTP ${status} ${text.slice(0, 200)}`;
  }
}

const opened = (socket: WebSocket): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.on('error', reject);
    socket.once('unexpected-response', (_, answer) => {
      const status = answer.statusCode ?? 0;
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.once('close', () => reject(new ClusterError(status, inWords(status, text))));
    });
  });
