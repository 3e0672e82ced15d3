import type { Commit, File } from '@bottega/contract';
import { beforeAll, expect, test } from 'vitest';
import { type Running, useCli } from '../../testing/clients/cli.ts';
import { call } from '../../testing/clients/http-client.ts';

const cli = useCli();
const settings: Record<string, string> = {};
let service: Running;
let token: string;
beforeAll(async () => {
  settings.BOTTEGA_DATA_DIR = await cli.newDataDir();
  service = await cli.start(settings);
  token = /btg_live_\w+/.exec(service.stdout())?.[0] ?? '';
});

test('after SIGKILL during parallel writes, everything that was acknowledged is in the files and the history', async () => {
  const project = await call<{ id: string }>('POST', `${service.url}/v1/projects`, { token, json: { name: 'Crash' } });
  const base = () => `${service.url}/v1/projects/${project.body.id}`;
  const acknowledged: { path: string; commit_sha: string; checksum: string }[] = [];
  const write = (n: number) =>
    call<(typeof acknowledged)[number]>('PUT', `${base()}/files`, {
      token,
      json: { path: `/d${n % 5}/${n}.txt`, content: `content ${n}\n` },
    });
  const writer = async (first: number) => {
    for (let n = first; ; n += 20) {
      const { status, body } = await write(n);
      expect(status).toBe(201);
      acknowledged.push(body);
      if (acknowledged.length === 60) service.signal('SIGKILL');
    }
  };
  const cutOff = (await Promise.allSettled(Array.from({ length: 20 }, (_, first) => writer(first)))).length;
  await service.ended;
  expect(cutOff).toBe(20);
  expect(acknowledged.length).toBeGreaterThanOrEqual(60);

  service = await cli.start(settings);
  const files = await call<{ data: File[] }>('GET', `${base()}/files?recursive=true&type=file`, { token });
  const checksums = new Map(files.body.data.map(({ path, checksum }) => [path, checksum]));
  const commits = await call<{ data: Commit[] }>('GET', `${base()}/commits?limit=100`, { token });
  const shas = commits.body.data.map(({ sha }) => sha);
  for (const { path, commit_sha, checksum } of acknowledged) {
    expect(checksums.get(path)).toBe(checksum);
    expect(shas).toContain(commit_sha);
  }
  // A write that was not acknowledged is there completely or not at all.
  expect(shas).toHaveLength(checksums.size);
  const atHead = await call<{ data: File[] }>('GET', `${base()}/files?recursive=true&type=file&ref=main`, { token });
  expect(atHead.body.data.map(({ path }) => path)).toEqual([...checksums.keys()]);
  expect((await write(100_000)).status).toBe(201);
});
