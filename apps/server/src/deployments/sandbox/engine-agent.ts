import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { ownPath, workspacePath } from './bubblewrap-arguments.ts';
import type { AgentFiles } from './driver.ts';
import type { Labels } from './engine-files.ts';
import { packProgram, packTree } from './pack-tree.ts';

/**
 * The service's programs in a sandbox start Node at a fixed path. In a container, this script at that path starts the
 * image's own Node.
 */
const nodeProgram = '#!/bin/sh\nexec node "$@"\n';

/**
 * The first process of a workspace. The shell reaps processes that have lost their parent, which Node would not do. It
 * starts the agent in the background. Background commands get no input, so the agent is given the shell's input
 * explicitly.
 */
export const agentCommand = `trap 'exit 0' TERM; exec 3<&0
node --expose-gc ${ownPath}/agent/program/main.mjs stdio ${workspacePath} <&3 3<&- &
exec 0<&- 3<&-; wait $!`;

/** The agent's files in the engine: a volume of this process, which all its workspaces can only read. */
export type AgentVolume = {
  /** Copies what the volume lacks, such as language servers that were fetched meanwhile. Returns the volume's name. */
  open(agent: AgentFiles): Promise<string>;
};

export function agentVolume(docker: Docker, image: string, labels: Labels): AgentVolume {
  const volume = `bottega_agent_${randomBytes(8).toString('hex')}`;
  const brought = new Set<string>();
  const turn = keyedQueue();

  async function bring(parts: [place: string, directory: string][]): Promise<void> {
    await docker.createVolume({ Name: volume, Labels: labels });
    const container = await docker.createContainer({
      Image: image,
      Entrypoint: ['/bin/sh'],
      Cmd: [],
      Labels: labels,
      HostConfig: { Binds: [`${volume}:${ownPath}`], NetworkMode: 'none' },
    });
    const put = (archive: Iterable<Buffer> | AsyncIterable<Buffer>) =>
      container.putArchive(Readable.from(archive, { objectMode: false }), { path: ownPath });
    try {
      if (brought.size === 0) await put(packProgram('./bin/node', nodeProgram, 0));
      for (const [place, directory] of parts) {
        await put(packTree(directory, 0, place));
        brought.add(directory);
      }
    } finally {
      await container.remove({ force: true }).catch(() => undefined);
    }
  }

  return {
    open: (agent) =>
      turn(volume, async () => {
        // An operator may have deleted the volume while nothing used it.
        await docker
          .getVolume(volume)
          .inspect()
          .catch(() => brought.clear());
        const missing = (await partsOf(agent)).filter(([, directory]) => !brought.has(directory));
        if (missing.length > 0) await bring(missing);
        return volume;
      }),
  };
}

/** The directories of the agent's files, each with the place at which Node and the service look for it. */
async function partsOf({ program, packages, languages }: AgentFiles): Promise<[place: string, directory: string][]> {
  const servers = languages ? await readdir(languages) : [];
  return [
    ['./agent/program', program],
    ...Object.entries(packages).map(([name, directory]): [string, string] => [
      `./agent/node_modules/${name}`,
      directory,
    ]),
    ...servers
      // Servers that are still being fetched are left out.
      .filter((name) => !name.startsWith('partial-'))
      .map((name): [string, string] => [`./languages/${name}`, join(languages ?? '', name)]),
  ];
}
