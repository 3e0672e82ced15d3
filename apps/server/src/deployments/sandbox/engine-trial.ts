import type Docker from 'dockerode';
import { ownUid } from './engine-files.ts';
import { ownLabels } from './own-labels.ts';

/** What the agent lacks in the image, by the exit code of the trial. */
const needs: Record<number, (image: string) => string> = {
  3: (image) => `Workspaces need Node 22.15 or newer, but the Node in the image ${image} is older`,
  4: () => `Workspaces need a container engine on a machine with the same architecture as the worker (${process.arch})`,
  5: (image) =>
    `Workspaces need an image with the GNU C library, such as node:24, but ${image} has a different C library`,
};

const script = `const { zstdCompress } = require('node:zlib');
process.exit(!zstdCompress ? 3 : process.arch !== '${process.arch}' ? 4 : !process.report.getReport().header.glibcVersionRuntime ? 5 : 0)`;

/** Runs Node in the image once. Null if it can run the agent. */
export async function whyNoWorkspaces(docker: Docker, image: string): Promise<string | null> {
  if (process.platform !== 'linux') return 'Workspaces need a worker on Linux';
  const container = await docker.createContainer({
    Image: image,
    Entrypoint: ['node', '-e', script],
    Cmd: [],
    User: `${ownUid}:${ownUid}`,
    Labels: ownLabels(),
    HostConfig: { CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], ReadonlyRootfs: true, NetworkMode: 'none' },
  });
  try {
    await container.start();
    const { StatusCode: code } = (await container.wait()) as { StatusCode: number };
    if (code === 0) return null;
    return needs[code]?.(image) ?? `Workspaces need Node in the image ${image}, but Node exits there with code ${code}`;
  } catch (error) {
    return `Workspaces need Node in the image ${image}: ${(error as Error).message}`;
  } finally {
    await container.remove({ force: true }).catch(() => undefined);
  }
}
