import { setTimeout as delay } from 'node:timers/promises';
import {
  type BuildDriver,
  type Capabilities,
  type Exit,
  type Running,
  SandboxError,
  type SandboxSpec,
} from '../driver.ts';
import { checkAccess } from './access.ts';
import { type Cluster, type ClusterAddress, connectCluster } from './cluster.ts';
import { type Execution, execute } from './execution.ts';
import { containers, type PodOptions } from './job-description.ts';
import { openPod, type Pod, removeLeftJobs, removePod, whyKilled } from './pods.ts';
import { askAllToEnd, endAll, runScript } from './scripts.ts';

export type KubernetesOptions = ClusterAddress & PodOptions;

/** Killed by a signal that cannot be caught, as a shell tells it. */
const killedCode = 137;
/** For the rest of the output, once every process is gone. */
const restMs = 10_000;

/** Jobs of Kubernetes. A job's directory is one pod for as long as it is there, and a run is a command in that. */
export function kubernetesDriver(options: KubernetesOptions): BuildDriver {
  let connected: Promise<Cluster> | undefined;
  const cluster = () => {
    connected ??= connectCluster(options);
    return connected;
  };
  const pods = new Map<string, Promise<Pod>>();
  const podOf = (connection: Cluster, spec: SandboxSpec) => {
    const pod = pods.get(spec.directory) ?? openPod(connection, options, spec);
    pods.set(spec.directory, pod);
    pod.catch(() => pods.delete(spec.directory));
    return pod;
  };
  let probed: Promise<Capabilities> | undefined;
  return {
    name: 'kubernetes',
    probe: () => {
      probed ??= probe(cluster, options);
      return probed;
    },
    async start(spec) {
      try {
        const connection = await cluster();
        return await startRun(connection, await podOf(connection, spec), spec);
      } catch (error) {
        throw new SandboxError(`The pod could not be started: ${(error as Error).message}`);
      }
    },
    async release(directory) {
      const pod = await pods.get(directory);
      pods.delete(directory);
      if (pod) await removePod(await cluster(), pod.job);
    },
  };
}

async function probe(cluster: () => Promise<Cluster>, { url, wantsNetwork }: KubernetesOptions): Promise<Capabilities> {
  const capabilities: Capabilities = {
    driver: 'kubernetes',
    isolated: true,
    memory: 'pod',
    processes: 'rlimit',
    cpu: 'pod',
    disk: 'counted, and limited by the size of the volume',
    file_size: 'rlimit',
    network: wantsNetwork ? 'the cluster’s, within its NetworkPolicy' : 'none, by the cluster’s NetworkPolicy',
    seccomp: 'the cluster’s (RuntimeDefault)',
    user_namespaces: 'the cluster’s',
    problem: null,
    notes: [],
  };
  try {
    const connection = await cluster();
    await checkAccess(connection);
    await removeLeftJobs(connection);
    return capabilities;
  } catch (error) {
    return { ...capabilities, problem: `The cluster for builds at ${url} cannot be used: ${(error as Error).message}` };
  }
}

async function startRun(cluster: Cluster, pod: Pod, spec: SandboxSpec): Promise<Running> {
  const container = spec.isReadOnly ? containers.look : containers.run;
  const input = [Buffer.from(runScript(spec))];
  const execution = await execute(cluster, { pod: pod.name, container, command: ['/bin/sh', '-s'], input });
  const { stdout, stderr } = execution;
  return {
    ...follow(cluster, { pod, container, spec, execution }),
    ...{ stdout, stderr, notes: [], processes: async () => [] },
    place: spec.port === null ? null : { host: pod.address, port: spec.port },
  };
}

type Followed = { pod: Pod; container: string; spec: SandboxSpec; execution: Execution };

function follow(cluster: Cluster, { pod, container, spec, execution }: Followed): Pick<Running, 'ended' | 'stop'> {
  let stoppedBy: Exit['stoppedBy'] = null;
  const tell = async (script: string): Promise<void> => {
    const command = ['/bin/sh', '-c', script];
    const { code, stdout, stderr } = await execute(cluster, { pod: pod.name, container, command, input: [] });
    stdout.resume();
    stderr.resume();
    await code;
  };
  /** Where nobody answers in the pod any more, it goes as a whole. */
  const endProcesses = () => tell(endAll).catch(() => removePod(cluster, pod.job).catch(() => undefined));
  const kill = async (why: Exit['stoppedBy']): Promise<void> => {
    stoppedBy ??= why;
    await endProcesses();
    await Promise.race([execution.code, delay(restMs, undefined, { ref: false })]);
    execution.leave();
  };
  const { seconds } = spec.limits;
  const timer = seconds === null ? null : setTimeout(() => void kill('time'), seconds * 1000);
  const ended = (async (): Promise<Exit> => {
    const code = await execution.code;
    if (timer) clearTimeout(timer);
    const isKilled = stoppedBy === null && (code === null || code === killedCode);
    if (isKilled) stoppedBy = await whyKilled(cluster, pod, { container, code });
    if (!spec.isReadOnly) await endProcesses();
    return { code, stoppedBy };
  })();
  return {
    ended,
    async stop(graceMs) {
      stoppedBy ??= 'request';
      if (graceMs > 0) {
        await tell(askAllToEnd).catch(() => undefined);
        await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
      }
      await kill('request');
      await ended;
    },
  };
}
