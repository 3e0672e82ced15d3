import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { call } from '../../testing/clients/http-client.ts';
import type { Checksums, Repository } from './known.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any version, read by the names that the API documents.
type Body = any;

/** Requests with one key, or without one, that have to succeed. */
export const asking =
  (url: string, token?: string) =>
  async (method: string, path: string, json?: unknown): Promise<Body> => {
    const { status, body, text } = await call(method, `${url}/v1${path}`, {
      ...(token !== undefined && { token }),
      ...(json !== undefined && { json }),
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body;
  };

/** Checksums of every file that REST lists, over the bytes that it serves. */
export async function readChecksums(url: string, key: string, project: string): Promise<Checksums> {
  const base = `${url}/v1/projects/${project}/files`;
  const { data } = await asking(url, key)('GET', `/projects/${project}/files?recursive=true&type=file`);
  const files: Checksums = {};
  for (const { id, path } of data) {
    const response = await fetch(`${base}/${id}/content`, { headers: { authorization: `Bearer ${key}` } });
    files[path] = createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex');
  }
  return files;
}

export async function readRepository(url: string, key: string, project: string): Promise<Repository> {
  const address = `${url.replace('://', `://x:${key}@`)}/git/${project}.git`;
  const { stdout } = await promisify(execFile)('git', ['ls-remote', address], { env: { PATH: process.env.PATH } });
  const refs = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t').toReversed());
  const { data } = await asking(url, key)('GET', `/projects/${project}/commits?limit=100`);
  return {
    files: await readChecksums(url, key, project),
    refs: Object.fromEntries(refs),
    commits: data.map(({ sha }: { sha: string }) => sha),
  };
}
