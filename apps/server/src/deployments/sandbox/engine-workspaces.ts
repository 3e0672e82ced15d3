import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { KeptFiles } from './driver.ts';
import { agentVolume } from './engine-agent.ts';
import { type EngineFiles, giveAway, type Labels, ownUid } from './engine-files.ts';
import { packTree } from './pack-tree.ts';

/**
 * Files of workspaces in an engine. Each workspace has two volumes, which stay while it sleeps. A file in the
 * workspace's directory on this machine contains the name of the volumes. No directory of this machine is mounted.
 */
export type WorkspaceFiles = EngineFiles & KeptFiles & { has(directory: string): boolean };

const nameFile = (directory: string): string => join(directory, 'run', 'engine');
const filledFile = (directory: string): string => join(directory, 'run', 'engine-filled');

/** Whether an engine has, or had, the files of a workspace with this directory. */
export const isInEngine = (directory: string): Promise<boolean> =>
  stat(filledFile(directory)).then(
    () => true,
    () => false,
  );

type Volumes = { workspace: string; tmp: string };

const volumesOf = (name: string): Volumes => ({ workspace: `${name}_workspace`, tmp: `${name}_tmp` });

/** The volumes of the workspace. Null if it has none. */
async function namedVolumes(directory: string): Promise<Volumes | null> {
  const name = await readFile(nameFile(directory), 'utf8').catch(() => '');
  return name === '' ? null : volumesOf(name);
}

export function filesOfWorkspaces(docker: Docker, image: string, labels: Labels): WorkspaceFiles {
  const known = new Set<string>();
  const agents = agentVolume(docker, image, labels);

  async function create(directory: string): Promise<Volumes> {
    const name = `bottega_${basename(directory)}_${randomBytes(4).toString('hex')}`;
    // The name is written first, so that the volumes can be found even if the worker is killed meanwhile.
    await writeFile(nameFile(directory), name);
    const volumes = volumesOf(name);
    const Labels = { 'bottega.workspace': basename(directory) };
    await Promise.all(Object.values(volumes).map((Name) => docker.createVolume({ Name, Labels })));
    await giveAway(docker, { image, labels, volumes: Object.values(volumes) });
    return volumes;
  }

  return {
    has: (directory) => known.has(directory),
    async sources({ directory, agent }) {
      const found = await namedVolumes(directory);
      if (!agent) return found ?? create(directory);
      // If a worker was killed, the container of the last run may still exist.
      if (found) await removeContainers(docker, found);
      known.add(directory);
      // Language servers are copied later, when one is needed.
      const program = await agents.open({ ...agent, languages: null });
      return { ...(found ?? (await create(directory))), agent: program };
    },
    user: async () => `${ownUid}:${ownUid}`,
    async bring(container, { directory, layers = [] }) {
      if (layers.length === 0) return;
      for (const from of [...layers.toReversed(), join(directory, 'workspace')]) {
        const archive = Readable.from(packTree(from, ownUid), { objectMode: false });
        await container.putArchive(archive, { path: '/workspace' });
      }
      await writeFile(filledFile(directory), '');
    },
    release: async () => undefined,
    async holds(directory) {
      const volumes = (await isInEngine(directory)) ? await namedVolumes(directory) : null;
      if (volumes === null) return false;
      const all = Object.values(volumes).map((name) => docker.getVolume(name).inspect());
      return Promise.all(all).then(
        () => true,
        (error: { statusCode?: number }) => {
          if (error.statusCode === 404) return false;
          throw error;
        },
      );
    },
    async bringAgent(agent) {
      await agents.open(agent);
    },
    async remove(directory) {
      known.delete(directory);
      const volumes = await namedVolumes(directory);
      if (volumes === null) return;
      await removeContainers(docker, volumes);
      for (const name of Object.values(volumes)) {
        await docker
          .getVolume(name)
          .remove()
          .catch((error: { statusCode?: number }) => {
            if (error.statusCode !== 404) throw error;
          });
      }
    },
  };
}

async function removeContainers(docker: Docker, { workspace }: Volumes): Promise<void> {
  const left = await docker.listContainers({ all: true, filters: { volume: [workspace] } });
  for (const { Id } of left) await docker.getContainer(Id).remove({ force: true });
}
