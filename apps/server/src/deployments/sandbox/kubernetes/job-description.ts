import { randomInt } from 'node:crypto';
import { basename } from 'node:path';
import type { SandboxSpec } from '../driver.ts';
import { ownLabels } from '../own-labels.ts';
import { waitForBeats, waitForEnd } from './scripts.ts';

export const containers = { run: 'run', look: 'look' } as const;

export type PodOptions = { image: string; cpus: number | null; wantsNetwork: boolean };

const MiB = 2 ** 20;
/** For what comes before and after the command: the image, the files, the look at what it left. */
const aroundSeconds = 1_200;

/** One for each directory of a job, as Kubernetes spells names. */
export const jobName = (directory: string): string =>
  `bottega-${basename(directory)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')}`.slice(0, 63);

/** Fits the strictest of the pod security standards, "restricted". */
export function jobDescription(options: PodOptions, spec: SandboxSpec, name: string): object {
  const { seconds } = spec.limits;
  const labels = {
    'app.kubernetes.io/name': 'bottega-build',
    'bottega.network': options.wantsNetwork ? 'public' : 'off',
    ...ownLabels(),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      backoffLimit: 0,
      ttlSecondsAfterFinished: 60,
      ...(seconds !== null && { activeDeadlineSeconds: seconds + aroundSeconds }),
      template: { metadata: { labels }, spec: podOf(options, spec) },
    },
  };
}

function podOf(options: PodOptions, { limits, port }: SandboxSpec): object {
  // Limits of processes are by user and machine, so that each pod needs one of its own. Above 65,535 there is none where
  // pods have a user namespace.
  const user = randomInt(20_000, 60_000);
  const volumes = { workspace: limits.diskBytes, tmp: limits.diskBytes, life: MiB, scratch: 64 * MiB };
  const container = containerOf(options.image);
  return {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      ...{ runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    volumes: Object.entries(volumes).map(([name, bytes]) => ({ name, emptyDir: { sizeLimit: String(bytes) } })),
    containers: [
      {
        ...container(containers.run, waitForEnd),
        ...(port !== null && { ports: [{ containerPort: port }] }),
        resources: {
          requests: { cpu: '250m', memory: String(limits.memoryBytes) },
          limits: { cpu: String(options.cpus ?? limits.cpus), memory: String(limits.memoryBytes) },
        },
        volumeMounts: [mount('workspace', '/workspace'), mount('tmp', '/tmp'), mount('life', '/life', true)],
      },
      {
        ...container(containers.look, waitForBeats),
        resources: {
          requests: { cpu: '50m', memory: String(64 * MiB) },
          limits: { cpu: '1', memory: String(256 * MiB) },
        },
        volumeMounts: [
          ...[mount('workspace', '/workspace', true), mount('tmp', '/var/tmp', true)],
          ...[mount('scratch', '/tmp'), mount('life', '/life')],
        ],
      },
    ],
  };
}

const containerOf = (image: string) => (name: string, script: string) => ({
  name,
  image,
  command: ['/bin/sh', '-c', script],
  workingDir: '/workspace',
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
});

const mount = (name: string, mountPath: string, readOnly = false) => ({ name, mountPath, readOnly });
