import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import { once } from '../../foundation/concurrency/once.ts';
import { ownPath } from './bubblewrap-arguments.ts';
import {
  type BuildDriver,
  type Capabilities,
  type Exit,
  type Running,
  SandboxError,
  type SandboxSpec,
} from './driver.ts';
import { connectEngine, type EngineAddress, remoteHost } from './engine.ts';
import { agentCommand } from './engine-agent.ts';
import { attachChannel } from './engine-attach.ts';
import { type EngineFiles, filesElsewhere, filesHere } from './engine-files.ts';
import { whyNoWorkspaces } from './engine-trial.ts';
import { filesOfWorkspaces, type WorkspaceFiles } from './engine-workspaces.ts';
import { hostLabel, isLeftBehind, ownLabels } from './own-labels.ts';
import { runEnvironment } from './run-environment.ts';

export type ContainerOptions = EngineAddress & {
  image: string;
  cpus: number | null;
  network: string;
  wantsNetwork: boolean;
};

type Engine = { docker: Docker; files: EngineFiles; workspaces: WorkspaceFiles };

/** Runs containers through the Docker Engine API, which Podman supports too. */
export function containerDriver(options: ContainerOptions): BuildDriver {
  const engine = once(async (): Promise<Engine> => {
    const docker = await connectEngine(options);
    const { image } = options;
    const files = remoteHost(options) ? filesElsewhere(docker, image, ownLabels()) : filesHere(docker);
    return { docker, files, workspaces: filesOfWorkspaces(docker, image, ownLabels()) };
  });
  const tried = <Result>(what: string, work: (found: Engine) => Promise<Result>): Promise<Result> =>
    engine()
      .then(work)
      .catch((error: unknown) => {
        throw new SandboxError(`${what}: ${(error as Error).message}`);
      });
  const reach = 'The container engine has failed';
  return {
    name: 'container',
    probe: () => probe(engine, options),
    start: (spec) => tried('The container could not be started', (found) => startContainer(found, options, spec)),
    release: async (directory) => (await engine()).files.release(directory),
    keeps: {
      holds: (directory) => tried(reach, ({ workspaces }) => workspaces.holds(directory)),
      bringAgent: (agent) => tried(reach, ({ workspaces }) => workspaces.bringAgent(agent)),
      remove: (directory) => tried(reach, ({ workspaces }) => workspaces.remove(directory)),
    },
  };
}

async function probe(
  engine: () => Promise<Engine>,
  { image, socket, wantsNetwork, network }: ContainerOptions,
): Promise<Capabilities> {
  const capabilities: Capabilities = {
    driver: 'container',
    isolated: true,
    memory: 'container',
    processes: 'container',
    cpu: 'container',
    disk: 'counted',
    file_size: 'rlimit',
    network: wantsNetwork ? `the engine’s (${network})` : 'none: BOTTEGA_BUILD_NETWORK is off',
    seccomp: 'the engine’s',
    user_namespaces: 'the engine’s',
    problem: null,
    workspaces: null,
    notes: [],
  };
  try {
    const { docker } = await engine();
    await docker.ping();
    // Podman cannot list volumes while another worker deletes one. The next start removes what is left.
    await removeLeftovers(docker).catch(() => undefined);
    await ensureImage(docker, image);
    return { ...capabilities, workspaces: await whyNoWorkspaces(docker, image) };
  } catch (error) {
    return {
      ...capabilities,
      problem: `No container engine with the image ${image} at ${socket}: ${(error as Error).message}`,
    };
  }
}

async function ensureImage(docker: Docker, image: string): Promise<void> {
  const find = () => docker.getImage(image).inspect();
  const present = await find().catch(() => null);
  if (present) return;
  const pulling = await docker.pull(image);
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(pulling, (error) => (error ? reject(error) : resolve()));
  });
  // Podman reports a failure in the middle of the progress messages and not at their end.
  await find();
}

/**
 * Removes containers and volumes that a killed process left. Containers come first, because a volume in use cannot be
 * removed.
 */
async function removeLeftovers(docker: Docker): Promise<void> {
  const filters = { label: [hostLabel()] };
  const isLeft = ({ Labels }: { Labels: Record<string, string> | null }) => isLeftBehind(Labels);
  const containers = await docker.listContainers({ all: true, filters });
  for (const { Id } of containers.filter(isLeft)) {
    await docker
      .getContainer(Id)
      .remove({ force: true })
      .catch(() => undefined);
  }
  const { Volumes } = await docker.listVolumes({ filters });
  for (const { Name } of (Volumes ?? []).filter(isLeft)) {
    await docker
      .getVolume(Name)
      .remove({ force: true })
      .catch(() => undefined);
  }
}

async function startContainer(engine: Engine, options: ContainerOptions, spec: SandboxSpec): Promise<Running> {
  const { docker, workspaces } = engine;
  const files = spec.agent || workspaces.has(spec.directory) ? workspaces : engine.files;
  if (spec.port !== null && !options.wantsNetwork) throw new Error('a server app in a container needs a network');
  const container = await docker.createContainer(await descriptionOf(files, options, spec));
  try {
    await files.bring(container, spec);
    const output = hasChannel(spec) ? await attachChannel(docker, container.id) : await attach(docker, container);
    await container.start();
    const place =
      spec.port === null ? null : await publishedPort(container, spec.port, remoteHost(options)?.host ?? '127.0.0.1');
    return {
      ...follow(container, spec, output.drained),
      ...output,
      place,
      notes: [],
      processes: async () => [],
    };
  } catch (error) {
    await container.remove({ force: true }).catch(() => undefined);
    throw error;
  }
}

const hasChannel = ({ agent, hasInput }: SandboxSpec): boolean => agent !== undefined || hasInput === true;

async function descriptionOf(
  files: EngineFiles,
  options: ContainerOptions,
  spec: SandboxSpec,
): Promise<Docker.ContainerCreateOptions> {
  const { memoryBytes, processes, fileBytes, cpus } = spec.limits;
  const port = spec.port === null ? null : `${spec.port}/tcp`;
  const { workspace, tmp, agent } = await files.sources(spec);
  return {
    name: `bottega_${spec.id}`,
    Image: options.image,
    Entrypoint: ['/bin/sh', '-c', agent ? agentCommand : spec.command],
    Cmd: [],
    WorkingDir: '/workspace',
    User: await files.user(spec),
    Env: Object.entries(runEnvironment(spec)).map(([name, value]) => `${name}=${value}`),
    Labels: ownLabels(),
    AttachStdout: true,
    AttachStderr: true,
    // When the connection ends, the input ends, and with it the run.
    ...(hasChannel(spec) && { AttachStdin: true, OpenStdin: true, StdinOnce: true }),
    ...(port && { ExposedPorts: { [port]: {} } }),
    HostConfig: {
      ...(spec.isReadOnly
        ? { Binds: [`${workspace}:/workspace:ro`, `${tmp}:/var/tmp:ro`], Tmpfs: { '/tmp': 'size=64m,mode=1777' } }
        : { Binds: [`${workspace}:/workspace`, `${tmp}:/tmp`, ...(agent ? [`${agent}:${ownPath}:ro`] : [])] }),
      Memory: memoryBytes,
      MemorySwap: memoryBytes,
      NanoCpus: (options.cpus ?? cpus) * 1e9,
      CpuShares: 512,
      PidsLimit: processes,
      Ulimits: [
        // Set explicitly, because an engine's default limits may exceed what the engine is allowed to set.
        ...(await ownLimits()),
        { Name: 'fsize', Soft: fileBytes, Hard: fileBytes },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      // With any other log, the engine would store everything that passes through the channel.
      ...(hasChannel(spec) && { LogConfig: { Type: 'none', Config: {} } }),
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      NetworkMode: options.wantsNetwork && !spec.isReadOnly && !spec.isOffline ? options.network : 'none',
      // On this machine, only local programs can reach the port. On a remote engine, everyone in its network can.
      ...(port && { PortBindings: { [port]: [{ HostIp: remoteHost(options) ? '' : '127.0.0.1', HostPort: '' }] } }),
    },
  };
}

/** The limits of a container: as many open files and processes as this process may have, up to a maximum. */
async function ownLimits(): Promise<{ Name: string; Soft: number; Hard: number }[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return [
    ['nofile', /^Max open files\s+\S+\s+(\d+)/m, 65_536] as const,
    ['nproc', /^Max processes\s+\S+\s+(\d+)/m, 4_096] as const,
  ].map(([Name, form, max]) => {
    const allowed = Math.min(Number(form.exec(limits)?.[1] ?? max), max);
    return { Name, Soft: allowed, Hard: allowed };
  });
}

type Streams = Pick<Running, 'stdout' | 'stderr' | 'channel'>;

/** Separates the two streams that the engine sends as one. `drained` resolves at their end. */
async function attach(docker: Docker, container: Docker.Container): Promise<Streams & { drained: Promise<void> }> {
  const stream = await container.attach({ stream: true, stdout: true, stderr: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  docker.modem.demuxStream(stream, stdout, stderr);
  const drained = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve());
  });
  void drained.then(() => {
    stdout.end();
    stderr.end();
  });
  return { stdout, stderr, channel: null, drained };
}

async function publishedPort(
  container: Docker.Container,
  port: number,
  host: string,
): Promise<{ host: string; port: number }> {
  const { NetworkSettings, HostConfig } = await container.inspect();
  const bindings = NetworkSettings.Ports?.[`${port}/tcp`] ?? HostConfig.PortBindings?.[`${port}/tcp`];
  const [published] = bindings as { HostPort: string }[];
  return { host, port: Number(published?.HostPort) };
}

function follow(
  container: Docker.Container,
  spec: SandboxSpec,
  drained: Promise<void>,
): Omit<Running, 'place' | 'notes' | 'processes' | keyof Streams> {
  let stoppedBy: Exit['stoppedBy'] = null;
  const kill = async (why: Exit['stoppedBy']): Promise<void> => {
    stoppedBy ??= why;
    // The container may have just ended by itself.
    await container.kill().catch(() => undefined);
  };
  const { seconds } = spec.limits;
  const timer = seconds === null ? null : setTimeout(() => void kill('time'), seconds * 1000);
  const ended = (async (): Promise<Exit> => {
    const { StatusCode: code } = (await container.wait().catch(() => ({ StatusCode: null }))) as {
      StatusCode: number | null;
    };
    if (timer) clearTimeout(timer);
    const state = await container.inspect().then(
      ({ State }) => State,
      () => null,
    );
    // The run was killed, but not by the service, so it used up its memory. Not every engine reports that.
    if (stoppedBy === null && (state?.OOMKilled || code === 137)) stoppedBy = 'memory';
    await drained;
    await container.remove({ force: true, v: true }).catch(() => undefined);
    return { code, stoppedBy };
  })();
  return {
    ended,
    async stop(graceMs) {
      stoppedBy ??= 'request';
      if (graceMs > 0) await container.stop({ t: Math.ceil(graceMs / 1000) }).catch(() => undefined);
      await kill('request');
      await ended;
    },
  };
}
