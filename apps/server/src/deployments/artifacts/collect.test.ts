import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { byNight } from '../../testing/runner/thoroughness.ts';
import { openJobsDirectory } from '../sandbox/index.ts';
import { processDriver } from '../sandbox/process-driver.ts';
import { collectOutput } from './collect.service.ts';

const root = mkdtempSync(join(tmpdir(), 'bottega-collect-'));
const jobs = openJobsDirectory(join(root, 'jobs'));
const driver = processDriver({ executablePath: process.env.PATH ?? '' });
const outside = join(root, 'outside');
mkdirSync(join(outside, 'keys'), { recursive: true });
for (const name of ['index.html', 'keys/secret.txt']) writeFileSync(join(outside, name), 'secret');
afterAll(async () => {
  await jobs.close();
  rmSync(root, { recursive: true });
});

const limits = {
  memoryBytes: 2 ** 30,
  processes: 64,
  fileBytes: 2 ** 30,
  cpus: 1,
  diskBytes: 2 ** 30,
  diskEntries: 1_000,
  seconds: 60,
};
let runs = 0;

/** Path and content of all collected files. */
async function collect(directory: string, named: string | null): Promise<string[]> {
  const { signal } = new AbortController();
  return collectOutput(
    { driver, id: `look_${++runs}`, directory, limits, signal },
    { named, isServer: false },
    async ({ entries }) => {
      const found: string[] = [];
      for await (const entry of entries) {
        if (entry.kind !== 'file') continue;
        for await (const piece of entry.content()) found.push(`${entry.path} ${piece.toString()}`);
      }
      return found;
    },
  );
}

test('a directory that is repeatedly swapped for a link is collected as it is or not at all', async () => {
  const directory = await jobs.createJob('swapped');
  const workspace = join(directory, 'workspace');
  mkdirSync(join(workspace, 'site/dist/keys'), { recursive: true });
  for (const name of ['index.html', 'keys/a.txt']) writeFileSync(join(workspace, 'site/dist', name), 'own');
  // A build has no processes left at this point. This one stands for any process that somehow survives.
  const swapping = `while :; do
    mv site/dist aside; ln -s ${outside} site/dist; rm site/dist; mv aside site/dist
    mv site/dist/keys aside; ln -s ${outside}/keys site/dist/keys; rm site/dist/keys; mv aside site/dist/keys
  done`;
  const swapper = spawn('/bin/sh', ['-c', swapping], { cwd: workspace, stdio: 'ignore' });
  let collected = 0;
  for (let round = 0; round < byNight(10, 1); round++) {
    const looks = Array.from({ length: 20 }, () => collect(directory, 'site/dist').catch((): string[] => []));
    for (const found of await Promise.all(looks)) {
      if (found.length > 0) collected++;
      expect(found.filter((line) => !line.endsWith(' own'))).toEqual([]);
    }
  }
  expect(collected).toBeGreaterThan(0);
  swapper.kill('SIGKILL');
  await jobs.removeJob(directory);
});

test.each([
  ['is not there', 'nowhere', 'The directory nowhere does not exist'],
  ['leads out', '../..', 'outside the project'],
  ['is a file', 'file', 'The directory file does not exist'],
  ['has a name of several lines', 'a\nb', 'an invalid name'],
])('a directory that %s is refused with that reason', async (_what, named, reason) => {
  const directory = await jobs.createJob(`refused${++runs}`);
  writeFileSync(join(directory, 'workspace', 'file'), 'x');
  await expect(collect(directory, named)).rejects.toThrow(reason);
  await jobs.removeJob(directory);
});
