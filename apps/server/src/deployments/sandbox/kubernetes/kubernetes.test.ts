import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testBuildDir } from '../../../testing/build-dir.ts';
import { describeWith } from '../../../testing/programs.ts';
import type { SandboxSpec } from '../driver.ts';
import { openJobsDirectory } from '../jobs-directory.ts';
import { startTestCluster, type TestCluster } from './cluster.fixture.ts';
import { jobDescription, jobName } from './job-description.ts';
import { kubernetesDriver } from './kubernetes-driver.ts';
import { runScript } from './scripts.ts';

const limits = {
  ...{ memoryBytes: 2 ** 28, processes: 60, fileBytes: 2 ** 20, seconds: 60, cpus: 2 },
  ...{ diskBytes: 2 ** 26, diskEntries: 10_000 },
};
const spec: SandboxSpec = {
  ...{ id: 'dep_1', directory: '/builds/Dep_1-a1b2c3', command: "echo 'it''s'", limits, port: null },
  environment: { SECRET: "don't tell" },
};

describeWith(['openssl'], 'the driver for Kubernetes', () => {
  let cluster: TestCluster;
  const driver = (more = {}) =>
    kubernetesDriver({ ...cluster, image: 'node:24', cpus: null, wantsNetwork: true, ...more });
  const problem = async (more = {}) => (await driver(more).probe()).problem;
  beforeAll(async () => {
    cluster = await startTestCluster(null);
  });
  afterAll(() => cluster?.close());
  beforeEach(() => {
    cluster.refused.clear();
    cluster.hasPolicy = true;
  });

  test('says what holds, and what an operator has to mend', async () => {
    expect(await driver().probe()).toMatchObject({ driver: 'kubernetes', isolated: true, problem: null });
    cluster.refused.add('create pods/exec');
    expect(await problem()).toContain('this account cannot create pods/exec in the namespace builds');
    cluster.refused.clear();
    cluster.hasPolicy = false;
    expect(await problem()).toContain('"bottega-builds" not found');
    expect(await problem({ account: '/nowhere' })).toContain('/nowhere/');
    expect(await problem({ url: 'http://10.0.0.1' })).toContain('http://10.0.0.1 must begin with https://');
    await writeFile(join(cluster.account, 'token'), 'another');
    expect(await problem()).toContain('Unauthorized');
    await writeFile(join(cluster.account, 'token'), 'the-token');
  });

  test('deletes the jobs of workers of this machine that are gone, and no others', async () => {
    const left = (name: string, pid: number) => {
      const labels = { 'bottega.host': hostname(), 'bottega.pid': String(pid) };
      const job = jobDescription({ image: 'x', cpus: null, wantsNetwork: false }, spec, name) as never;
      cluster.jobs.set(name, Object.assign(job, { metadata: { name, labels } }));
    };
    left('of-the-dead', 2 ** 30);
    left('of-the-living', process.pid);
    await driver().probe();
    expect([...cluster.jobs.keys()]).toEqual(['of-the-living']);
    cluster.jobs.clear();
  });

  test('a pod that cannot begin is a reason in words, and does not stay', async () => {
    const jobs = openJobsDirectory(testBuildDir);
    const directory = await jobs.createJob('dep_2');
    await expect(driver().start({ ...spec, directory })).rejects.toThrow('ImagePullBackOff: no node:24');
    expect(cluster.jobs.size).toBe(0);
    await jobs.close();
  });
});

test('a job has the name of its directory, no rights, and none of the build’s secrets', () => {
  const name = jobName(spec.directory);
  expect(name).toBe('bottega-dep-1-a1b2c3');
  const text = JSON.stringify(jobDescription({ image: 'node:24', cpus: 3, wantsNetwork: true }, spec, name));
  expect(text).not.toContain('tell');
  for (const held of [
    '"restartPolicy":"Never"',
    '"backoffLimit":0',
    '"automountServiceAccountToken":false',
    '"runAsNonRoot":true',
    '"allowPrivilegeEscalation":false',
    '"drop":["ALL"]',
    '"type":"RuntimeDefault"',
    '"readOnlyRootFilesystem":true',
    `"limits":{"cpu":"3","memory":"${limits.memoryBytes}"}`,
  ]) {
    expect(text).toContain(held);
  }
});

test('what a shell is told has every quote as it was', () => {
  const script = runScript(spec);
  expect(script).toContain(`'SECRET=don'\\''t tell' /bin/sh -c 'echo '\\''it'\\'''\\''s'\\''' </dev/null`);
  expect(script).toContain('kill -KILL -1');
  expect(runScript({ ...spec, isReadOnly: true })).not.toContain('kill');
});
