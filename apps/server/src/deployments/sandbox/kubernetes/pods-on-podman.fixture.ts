import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Podman } from '../podman.fixture.ts';

type Container = {
  name: string;
  image: string;
  command: string[];
  workingDir: string;
  ports?: { containerPort: number }[];
  resources: { limits: { cpu: string; memory: string } };
  volumeMounts: { name: string; mountPath: string; readOnly: boolean }[];
  securityContext: { readOnlyRootFilesystem: boolean; capabilities: { drop: string[] } };
};

export type JobObject = {
  metadata: { name: string; labels: Record<string, string> };
  spec: {
    template: {
      spec: { securityContext: { runAsUser: number }; volumes: { name: string }[]; containers: Container[] };
    };
  };
};

/** What a node of a cluster does with the descriptions of pods, as far as ours say anything. */
export function podsOnPodman(podman: Podman | null, root: string) {
  const jobs = new Map<string, JobObject>();

  async function start(pod: string, { spec }: JobObject['spec']['template'], container: Container): Promise<void> {
    const { name, image, command, workingDir, resources, volumeMounts, securityContext, ports } = container;
    const user = spec.securityContext.runAsUser;
    const mounts = volumeMounts.flatMap((mount) => [
      '-v',
      `${join(root, pod, mount.name)}:${mount.mountPath}${mount.readOnly ? ':ro' : ''}`,
    ]);
    const limits = ['--memory', resources.limits.memory, '--memory-swap', resources.limits.memory];
    await podman?.command(
      ...['run', '-d', '--name', `${pod}_${name}`, '--user', `${user}:${user}`, '--workdir', workingDir],
      ...[...limits, '--cpus', resources.limits.cpu, '--security-opt', 'no-new-privileges'],
      ...securityContext.capabilities.drop.map((one) => `--cap-drop=${one}`),
      ...(securityContext.readOnlyRootFilesystem ? ['--read-only', '--read-only-tmpfs=false'] : []),
      // The pod's own address is the machine's here.
      ...['--network', ports ? 'host' : 'none', ...mounts, image, ...command],
    );
  }

  return {
    jobs,
    async create(job: JobObject): Promise<JobObject> {
      const { name } = job.metadata;
      const { spec } = job.spec.template;
      for (const volume of podman ? spec.volumes : []) {
        await mkdir(join(root, name, volume.name), { recursive: true });
        await chmod(join(root, name, volume.name), 0o777);
      }
      for (const container of spec.containers) await start(name, { spec }, container);
      jobs.set(name, job);
      return job;
    },
    async list(name: string): Promise<object[]> {
      const job = jobs.get(name);
      if (!job) return [];
      const containerStatuses = job.spec.template.spec.containers.map((one) => ({
        name: one.name,
        state: podman ? { running: {} } : { waiting: { reason: 'ImagePullBackOff', message: `no ${one.image}` } },
      }));
      return [{ metadata: { name }, status: { podIP: '127.0.0.1', containerStatuses } }];
    },
    async remove(name: string): Promise<void> {
      const { containers } = jobs.get(name)?.spec.template.spec ?? { containers: [] };
      await podman?.command('rm', '-f', '-t', '0', ...containers.map((one) => `${name}_${one.name}`));
      jobs.delete(name);
    },
  };
}
