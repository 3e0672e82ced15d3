import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type Attacker, ask, must, newProject, untilOver } from './attacker.ts';

/** Builds that print, fill disks and use processor time without end. */

type Deployment = { id: string; status: string; error: { message: string } | null };

export async function projectWithFile(attacker: Attacker): Promise<string> {
  const project = await newProject(attacker);
  await must(attacker, ['PUT', `/projects/${project}/files`, { path: '/index.html', content: '<p>x</p>' }]);
  return project;
}

export async function deploy(attacker: Attacker, project: string, build_command: string): Promise<string> {
  const path = `/projects/${project}/deployments`;
  const { status, body } = await ask<Deployment>(attacker, ['POST', path, { build_command }]);
  return status === 201 ? `${path}/${body.id}` : '';
}

/** The state of the deployment; retries if the service does not answer. */
async function read(attacker: Attacker, place: string): Promise<Deployment | null> {
  if (place === '') return null;
  return ask<Deployment>(attacker, ['GET', place]).then(
    ({ body }) => body,
    () => null,
  );
}

export async function ended(attacker: Attacker, place: string, until: AbortSignal): Promise<string> {
  let last: Deployment | null = null;
  while (!until.aborted) {
    last = (await read(attacker, place)) ?? last;
    if (last && !['pending', 'building'].includes(last.status)) break;
    await pause(200);
  }
  return last ? `${last.status}${last.error ? `: ${last.error.message}` : ''}` : 'refused';
}

async function cancel(attacker: Attacker, place: string): Promise<void> {
  if (place !== '') await ask(attacker, ['POST', `${place}/cancel`]).catch(() => undefined);
}

/**
 * One build of one attacker after the other, the last stopped when the time is over. A build that ends at once must not
 * end the attack: what a new process compiles for its first deployment would be all that is measured.
 */
const build = (name: string, command: string): Attack => ({
  name,
  needsSandbox: true,
  async prepare({ attacker }) {
    const project = await projectWithFile(attacker);
    return async (until) => {
      let [got, builds] = ['', 0];
      while (!until.aborted) {
        const place = await deploy(attacker, project, command);
        got = await ended(attacker, place, until);
        await cancel(attacker, place);
        builds++;
      }
      return `${builds} builds, the last: ${got}`;
    };
  },
});

const nested: Attack = {
  name: 'H5 a build leaves 3,000 nested directories',
  needsSandbox: true,
  async prepare({ attacker }) {
    const project = await projectWithFile(attacker);
    const name = 'd'.repeat(200);
    const command = `i=0; while [ $i -lt 3000 ]; do mkdir ${name} && cd ${name} || exit 1; i=$((i+1)); done`;
    return async (until) => `the build: ${await ended(attacker, await deploy(attacker, project, command), until)}`;
  },
  async afterwards({ other, service }) {
    await service.restart();
    const place = await deploy(other, await projectWithFile(other), 'true');
    return `another account's after a restart: ${await ended(other, place, AbortSignal.timeout(30_000))}`;
  },
};

const burning: Attack = {
  name: 'M6 four builds that burn or sleep',
  needsSandbox: true,
  async prepare({ attacker, other }) {
    const projects = await Promise.all([0, 1, 2, 3].map(() => projectWithFile(attacker)));
    const others = await projectWithFile(other);
    return async (until) => {
      const commands = ['while :; do :; done', 'sleep 600', 'while :; do :; done', 'sleep 600'];
      const places = await Promise.all(
        commands.map((command, index) => deploy(attacker, projects[index] ?? '', command)),
      );
      const begun = performance.now();
      const got = await ended(other, await deploy(other, others, 'true'), until);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      await untilOver(until);
      await Promise.all(places.map((place) => cancel(attacker, place)));
      return `another account's build: ${got} after ${seconds} s`;
    };
  },
};

export const buildAttacks: Attack[] = [
  build('H1 a build prints lines of 3,000 characters for ever', `yes "$(head -c 3000 /dev/zero | tr '\\0' x)"`),
  nested,
  burning,
  build(
    'M7 a failing build prints lines of 16,000 spaces',
    `i=0; while [ $i -lt 400 ]; do printf '%16000s\\n' x; i=$((i+1)); done; exit 1`,
  ),
];
