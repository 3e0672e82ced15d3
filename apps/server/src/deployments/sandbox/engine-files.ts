import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { SandboxSpec } from './driver.ts';
import { packTree } from './pack-tree.ts';
import { giveTo } from './uids.ts';

type Run = Pick<SandboxSpec, 'directory' | 'isReadOnly' | 'layers' | 'agent'>;
export type Labels = Record<string, string>;

/** Makes a job's directory available in its containers. */
export type EngineFiles = {
  /** Sources of /workspace, /tmp and the agent's directory: paths, or names of volumes. */
  sources(run: Run): Promise<{ workspace: string; tmp: string; agent?: string }>;
  user(run: Run): Promise<string>;
  /** Copies files into a container that was created but not started yet. */
  bring(container: Docker.Container, run: Run): Promise<void>;
  /** Deletes the job's data in the engine. */
  release(directory: string): Promise<void>;
};

export const ownUid = 60_599;
const parts = ['workspace', 'tmp'] as const;

/** An engine on this machine mounts the directory itself. */
export function filesHere(docker: Docker): EngineFiles {
  return {
    sources: async ({ directory }) => ({ workspace: join(directory, 'workspace'), tmp: join(directory, 'tmp') }),
    user: ({ directory }) => userOf(docker, directory),
    bring: async () => undefined,
    release: async () => undefined,
  };
}

/**
 * The user of a run. If the service runs as root, it is a separate uid that owns nothing else. Otherwise, it is the
 * service's own uid, so that the service can read the output. In a rootless engine, that uid is 0.
 */
async function userOf(docker: Docker, directory: string): Promise<string> {
  if (process.getuid?.() === 0) {
    const { uid } = await lstat(join(directory, 'workspace'));
    // The owner is changed only once, before any run, because this code never walks through files that a run left.
    for (const name of uid === 0 ? parts : []) await giveTo(ownUid, join(directory, name));
    return `${ownUid}:${ownUid}`;
  }
  const { SecurityOptions = [] } = await docker.info();
  const isRootless = (SecurityOptions as string[]).some((option) => option.includes('rootless'));
  return isRootless ? '0:0' : `${process.getuid?.()}:${process.getgid?.()}`;
}

/**
 * Files for a remote engine. With the first run, the directory is copied through the engine's API into volumes, which
 * exist as long as the job. The next run sees what the previous run left. Files come back only as the output of a
 * command.
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

/**
 * Changes the owner of a new volume, which belongs to root. No engine can create a volume for another user, but a
 * command in it can change the owner.
 */
export async function giveAway(docker: Docker, { image, labels, volumes }: Given): Promise<void> {
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
