import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Images and containers of one test. */
export type PodmanStore = {
  directory: string;
  env: NodeJS.ProcessEnv;
  podman(...args: string[]): Promise<{ stdout: string; stderr: string }>;
  close(): Promise<void>;
};

export async function openPodmanStore(parent: string): Promise<PodmanStore> {
  const directory = await mkdtemp(join(parent, 'bottega-podman-'));
  const file = (name: string) => join(directory, name);
  await writeFile(
    file('containers.conf'),
    `[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n
[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n`,
  );
  await writeFile(
    file('storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${file('graph')}"\nrunroot = "${file('run')}"\n`,
  );
  const env = {
    PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
    HOME: directory,
    TMPDIR: directory,
    CONTAINERS_CONF: file('containers.conf'),
    CONTAINERS_STORAGE_CONF: file('storage.conf'),
  };
  // A build prints more than the default buffer holds.
  const podman = (...args: string[]) => run('podman', args, { env, cwd: '/', maxBuffer: 2 ** 26 });
  return {
    directory,
    env,
    podman,
    async close() {
      await podman('rm', '-af').catch(() => undefined);
      await podman('rmi', '-af').catch(() => undefined);
      await run('umount', [file('graph/overlay')]).catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
