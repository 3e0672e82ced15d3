import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exit, SandboxSpec } from '../driver.ts';
import { hostLabel, isLeftBehind } from '../own-labels.ts';
import { packTree } from '../pack-tree.ts';
import { type Cluster, ClusterError } from './cluster.ts';
import { execute } from './execution.ts';
import { containers, jobDescription, jobName, type PodOptions } from './job-description.ts';
import { unpack } from './scripts.ts';

export type Pod = { name: string; job: string; address: string };

type ContainerState = {
  running?: object;
  waiting?: { reason?: string; message?: string };
  terminated?: { reason?: string };
};
type PodObject = {
  metadata: { name: string };
  status?: {
    podIP?: string;
    reason?: string;
    message?: string;
    conditions?: { type: string; status: string; message?: string }[];
    containerStatuses?: { name: string; state?: ContainerState }[];
  };
};

/** A cluster may have to get another machine first. */
const readyMs = 300_000;
const pauseMs = 250;
/** A pull that has failed is tried again, and then says so; the others stay as they are. */
const hopeless =
  /ImagePullBackOff|InvalidImageName|ErrImageNeverPull|ConfigError|CreateContainerError|RunContainerError/;

const jobsPath = ({ namespace }: Cluster) => `/apis/batch/v1/namespaces/${namespace}/jobs`;

async function podOf(cluster: Cluster, job: string): Promise<PodObject | null> {
  const path = `/api/v1/namespaces/${cluster.namespace}/pods?labelSelector=job-name%3D${job}`;
  const { items } = await cluster.ask<{ items: PodObject[] }>('GET', path);
  return items[0] ?? null;
}

/** A job with its pod, which waits, and has the files of the directory. */
export async function openPod(cluster: Cluster, options: PodOptions, spec: SandboxSpec): Promise<Pod> {
  const job = jobName(spec.directory);
  await cluster.ask('POST', jobsPath(cluster), jobDescription(options, spec, job));
  try {
    const pod = await untilReady(cluster, job);
    const input = packTree(join(spec.directory, 'workspace'), 0);
    const command = ['/bin/sh', '-c', unpack];
    const { code, stdout, stderr } = await execute(cluster, {
      pod: pod.name,
      container: containers.run,
      command,
      input,
    });
    stdout.resume();
    stderr.resume();
    if ((await code) !== 0) throw new Error('the files could not be unpacked; the pod needs tar');
    return pod;
  } catch (error) {
    await removePod(cluster, job).catch(() => undefined);
    throw error;
  }
}

async function untilReady(cluster: Cluster, job: string): Promise<Pod> {
  const deadline = Date.now() + readyMs;
  for (;;) {
    const pod = await podOf(cluster, job);
    const { podIP, reason, message, conditions, containerStatuses = [] } = pod?.status ?? {};
    const states = containerStatuses.map(({ state }) => state);
    if (pod && podIP && states.length === 2 && states.every((state) => state?.running)) {
      return { name: pod.metadata.name, job, address: podIP };
    }
    const stuck = states.find((state) => hopeless.test(state?.waiting?.reason ?? ''))?.waiting;
    if (stuck) throw new Error(`${stuck.reason}: ${stuck.message}`);
    if (reason) throw new Error(`${reason}: ${message}`);
    if (Date.now() > deadline) {
      const unmet = conditions?.find(({ status, message: words }) => status === 'False' && words)?.message;
      throw new Error(`${job} got no running pod: ${unmet ?? `kubectl describe job ${job} may say why`}`);
    }
    await delay(pauseMs);
  }
}

/** Until its pod is gone. */
export async function removePod(cluster: Cluster, job: string): Promise<void> {
  await cluster.ask('DELETE', `${jobsPath(cluster)}/${job}?propagationPolicy=Background`).catch((error: unknown) => {
    if (!(error instanceof ClusterError && error.status === 404)) throw error;
  });
  const deadline = Date.now() + readyMs;
  while ((await podOf(cluster, job)) && Date.now() < deadline) await delay(pauseMs);
}

/** What workers of this machine have left that were killed. */
export async function removeLeftJobs(cluster: Cluster): Promise<void> {
  const path = `${jobsPath(cluster)}?labelSelector=${encodeURIComponent(hostLabel())}`;
  const { items } = await cluster.ask<{ items: { metadata: { name: string; labels?: Record<string, string> } }[] }>(
    'GET',
    path,
  );
  for (const { metadata } of items.filter(({ metadata: { labels } }) => isLeftBehind(labels))) {
    await cluster
      .ask('DELETE', `${jobsPath(cluster)}/${metadata.name}?propagationPolicy=Background`)
      .catch(() => undefined);
  }
}

const byReason: Record<string, Exit['stoppedBy']> = { OOMKilled: 'memory', DeadlineExceeded: 'time', Evicted: 'disk' };
const knownMs = 10_000;

/** What the cluster has to say on a command that was killed, and not by us. It takes a moment to know. */
export async function whyKilled(
  cluster: Cluster,
  { job }: Pod,
  { container, code }: { container: string; code: number | null },
): Promise<Exit['stoppedBy']> {
  const deadline = Date.now() + knownMs;
  for (;;) {
    const pod = await podOf(cluster, job).catch(() => null);
    const state = pod?.status?.containerStatuses?.find(({ name }) => name === container)?.state;
    const reason = byReason[pod?.status?.reason ?? ''] ?? byReason[state?.terminated?.reason ?? ''];
    if (reason) return reason;
    // Where the kernel kills one process and not the whole container, only its code tells.
    if (code !== null) return 'memory';
    if (Date.now() > deadline) return null;
    await delay(pauseMs);
  }
}
