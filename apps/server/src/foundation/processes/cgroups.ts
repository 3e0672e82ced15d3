import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A control group. The id of its first process is written to the files in `procs`. */
export type Group = {
  procs: string[];
  wasOutOfMemory(): Promise<boolean>;
  remove(): Promise<void>;
};

type GroupLimits = {
  memoryBytes: number;
  processes: number;
  cpus: number;
  /** If the memory is used up, the kernel ends only the largest process. Otherwise, it ends all of them. */
  endsOne?: boolean;
};

export type Cgroups = {
  version: 'v2' | 'v1';
  memory: boolean;
  processes: boolean;
  cpu: boolean;
  create(id: string, limits: GroupLimits): Promise<Group>;
};

const root = '/sys/fs/cgroup';
/** The CPU weight of a group: half of the weight of the service, in the units of each version. */
const weight = { v2: 50, v1: 512 };
const periodMicroseconds = 100_000;

/**
 * Returns the kind of control groups that this process may create, or null if there is none. This is tested by creating
 * one.
 */
export async function findCgroups(): Promise<Cgroups | null> {
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const pathOf = (controllers: string) =>
    own
      .split('\n')
      .find((line) => line.split(':')[1]?.split(',').includes(controllers))
      ?.split(':')
      .slice(2)
      .join(':') ?? '/';
  for (const found of [await unified(pathOf('')), await split(pathOf)]) {
    if (!found) continue;
    const tried = await found
      .create(`probe_${process.pid}_${randomBytes(4).toString('hex')}`, {
        memoryBytes: 2 ** 30,
        processes: 64,
        cpus: 1,
      })
      .catch(() => null);
    if (!tried) continue;
    await tried.remove();
    return found;
  }
  return null;
}

/**
 * Control groups of version 2. In this version, a group that has processes cannot pass controllers to groups below it,
 * unless it is the root. So new groups are created below our own group if that group already passes its controllers on,
 * and otherwise below the root.
 */
async function unified(own: string): Promise<Cgroups | null> {
  for (const base of [join(root, own), root]) {
    await removeLeftovers(base);
    const given = (await readFile(join(base, 'cgroup.subtree_control'), 'utf8').catch(() => '')).split(/\s+/);
    if (!given.includes('memory') || !given.includes('pids')) continue;
    return {
      version: 'v2',
      memory: true,
      processes: true,
      cpu: given.includes('cpu'),
      create: (id, limits) =>
        groupIn([join(base, `bottega_${id}`)], async ([directory = '']) => {
          await writeFile(join(directory, 'memory.max'), String(limits.memoryBytes));
          await writeFile(join(directory, 'memory.swap.max'), '0').catch(() => undefined);
          await writeFile(join(directory, 'memory.oom.group'), limits.endsOne ? '0' : '1').catch(() => undefined);
          await writeFile(join(directory, 'pids.max'), String(limits.processes));
          if (given.includes('cpu')) {
            await writeFile(join(directory, 'cpu.max'), `${limits.cpus * periodMicroseconds} ${periodMicroseconds}`);
            await writeFile(join(directory, 'cpu.weight'), String(weight.v2));
          }
          return join(directory, 'memory.events');
        }),
    };
  }
  return null;
}

/** Control groups of version 1, which has a separate tree for each controller. */
async function split(pathOf: (controller: string) => string): Promise<Cgroups | null> {
  const baseOf = (controller: string) => {
    const own = join(root, controller, pathOf(controller));
    return existsSync(own) ? own : join(root, controller);
  };
  if (!existsSync(join(baseOf('memory'), 'memory.limit_in_bytes'))) return null;
  const others = ['pids', 'cpu'].filter((controller) => existsSync(join(baseOf(controller), 'cgroup.procs')));
  const controllers = ['memory', ...others];
  for (const controller of controllers) await removeLeftovers(baseOf(controller));
  return {
    version: 'v1',
    memory: true,
    processes: others.includes('pids'),
    cpu: others.includes('cpu'),
    create: (id, limits) => {
      const directoryOf = (controller: string) => join(baseOf(controller), `bottega_${id}`);
      const values = {
        memory: { 'memory.limit_in_bytes': limits.memoryBytes },
        pids: { 'pids.max': limits.processes },
        cpu: { 'cpu.cfs_quota_us': limits.cpus * periodMicroseconds, 'cpu.shares': weight.v1 },
      };
      return groupIn(controllers.map(directoryOf), async ([memory = '']) => {
        for (const controller of controllers as (keyof typeof values)[]) {
          for (const [file, value] of Object.entries(values[controller]))
            await writeFile(join(directoryOf(controller), file), String(value));
        }
        const withSwap = join(memory, 'memory.memsw.limit_in_bytes');
        await writeFile(withSwap, String(limits.memoryBytes)).catch(() => undefined);
        return join(memory, 'memory.oom_control');
      });
    },
  };
}

async function groupIn(directories: string[], limit: (made: string[]) => Promise<string>): Promise<Group> {
  const remove = async () => {
    for (const directory of directories) await removeGroup(directory);
  };
  try {
    // A worker that was killed during the same build has left its group, which is now empty.
    await remove();
    for (const directory of directories) await mkdir(directory);
    const events = await limit(directories);
    return {
      procs: directories.map((directory) => join(directory, 'cgroup.procs')),
      wasOutOfMemory: async () => /^oom_kill [1-9]/m.test(await readFile(events, 'utf8').catch(() => '')),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Removes groups that killed workers left. A group that still has a process cannot be removed anyway. Young groups are
 * skipped, because they may be about to get their first process.
 */
async function removeLeftovers(base: string): Promise<void> {
  for (const name of await readdir(base).catch(() => [])) {
    const made = name.startsWith('bottega_') ? await stat(join(base, name)).catch(() => null) : null;
    if (made && Date.now() - made.mtimeMs > 60_000) await rmdir(join(base, name)).catch(() => undefined);
  }
}

/** Removes a group. This is retried, because a group stays busy for a moment after its last process has ended. */
async function removeGroup(directory: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      return await rmdir(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return;
      await delay(20);
    }
  }
}
