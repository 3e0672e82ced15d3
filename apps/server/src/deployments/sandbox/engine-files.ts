import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { SandboxSpec } from './driver.ts';
import { packTree } from './pack-tree.ts';
import { giveTo } from './uids.ts';

type Run = Pick<SandboxSpec, 'directory' | 'isReadOnly'>;
type Labels = Record<string, string>;

/** How a job's directory gets into its containers. */
export type EngineFiles = {
  /** Sources of /workspace and /tmp: paths, or names of volumes. */
  sources(run: Run): Promise<{ workspace: string; tmp: string }>;
  user(run: Run): Promise<string>;
  /** Into a container that was made and not started yet. */
  bring(container: Docker.Container, run: Run): Promise<void>;
  /** What the engine has of the job. */
  release(directory: string): Promise<void>;
};

const ownUid = 60_599;
const parts = ['workspace', 'tmp'] as const;

/** An engine of this machine mounts the directory itself. */
export function filesHere(docker: Docker): EngineFiles {
  return {
    sources: async ({ directory }) => ({ workspace: join(directory, 'workspace'), tmp: join(directory, 'tmp') }),
    user: ({ directory }) => userOf(docker, directory),
    bring: async () => undefined,
    release: async () => undefined,
  };
}

/**
 * As root a uid of its own, that nothing else belongs to. As an ordinary user our own, so that we can read what it
 * leaves; an engine without root calls that one 0.
 */
async function userOf(docker: Docker, directory: string): Promise<string> {
  if (process.getuid?.() === 0) {
    const { uid } = await lstat(join(directory, 'workspace'));
    // Given away once, before anything ran in it: what a run has left there is nothing that we walk through.
    for (const name of uid === 0 ? parts : []) await giveTo(ownUid, join(directory, name));
    return `${ownUid}:${ownUid}`;
  }
  const { SecurityOptions = [] } = await docker.info();
  const isRootless = (SecurityOptions as string[]).some((option) => option.includes('rootless'));
  return isRootless ? '0:0' : `${process.getuid?.()}:${process.getgid?.()}`;
}

/**
 * One that is elsewhere gets the directory with its first run, by the engine's own API, into volumes. They live as long as
 * the job: what a run has left there is seen by the next, and never comes back here but as the output of a command.
 */
export function filesElsewhere(docker: Docker, image: string, labels: Labels): EngineFiles {
  const made = new Set<string>();
  const brought = new Set<string>();
  const volumesOf = (directory: string) => ({
    workspace: `bottega_${basename(directory)}_workspace`,
    tmp: `bottega_${basename(directory)}_tmp`,
  });
  return {
    async sources({ directory }) {
      const volumes = volumesOf(directory);
      if (!made.has(directory)) {
        made.add(directory);
        for (const Name of Object.values(volumes)) await docker.createVolume({ Name, Labels: labels });
        await giveAway(docker, { image, labels, volumes: Object.values(volumes) });
      }
      return volumes;
    },
    user: async () => `${ownUid}:${ownUid}`,
    async bring(container, { directory, isReadOnly }) {
      if (brought.has(directory) || isReadOnly) return;
      const tree = packTree(join(directory, 'workspace'), ownUid);
      await container.putArchive(Readable.from(tree, { objectMode: false }), { path: '/workspace' });
      brought.add(directory);
    },
    async release(directory) {
      brought.delete(directory);
      if (!made.delete(directory)) return;
      for (const name of Object.values(volumesOf(directory))) await docker.getVolume(name).remove({ force: true });
    },
  };
}

type Given = { image: string; labels: Labels; volumes: string[] };

/** A new volume is root's, and no engine can be asked to make it another's: a command in it can. */
async function giveAway(docker: Docker, { image, labels, volumes }: Given): Promise<void> {
  const container = await docker.createContainer({
    Image: image,
    Entrypoint: ['chown', `${ownUid}:${ownUid}`, ...volumes.map((_, index) => `/mnt/${index}`)],
    Cmd: [],
    User: '0:0',
    Labels: labels,
    HostConfig: {
      Binds: volumes.map((name, index) => `${name}:/mnt/${index}`),
      CapDrop: ['ALL'],
      CapAdd: ['CHOWN'],
      SecurityOpt: ['no-new-privileges'],
      NetworkMode: 'none',
    },
  });
  try {
    await container.start();
    const { StatusCode: code } = (await container.wait()) as { StatusCode: number };
    if (code !== 0) throw new Error(`chown in ${image} exited with code ${code}`);
  } finally {
    await container.remove({ force: true }).catch(() => undefined);
  }
}
