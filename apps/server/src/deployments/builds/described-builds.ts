import { setTimeout as delay } from 'node:timers/promises';
import type { Siblings } from '../../foundation/cluster/siblings.ts';
import type { Capabilities, JobsDirectory, Limits, Sandbox } from '../sandbox/index.ts';
import { tryDeploying } from '../serving/index.ts';

type Options = { sandbox: Sandbox; jobs: JobsDirectory; siblings: Siblings; limits: Omit<Limits, 'seconds'> };
type Described = Capabilities & { set_aside: number };

/** What this machine can build and run, as far as that was tried. */
export function describeBuilds({ sandbox, jobs, siblings, limits }: Options) {
  let tried: Promise<string | null> | null = null;
  let problemOfTrial: string | null = null;

  /** Who is patient, as a start is in the background, has a build and an app tried once; the others are told what is known. */
  async function here(isPatient: boolean): Promise<Described | null> {
    const asked = sandbox.capabilities();
    const found = await (isPatient ? asked : soon(asked));
    if (!found) return null;
    if (found.problem === null && isPatient) {
      tried ??= tryDeploying({ driver: sandbox.driver, jobs, limits });
      problemOfTrial = await tried;
    }
    return { ...found, problem: found.problem ?? problemOfTrial, set_aside: jobs.setAside() };
  }

  return {
    here,
    /** Of the processes of a machine one builds, which is asked where it is not this one. */
    async ofMachine(isHere: boolean): Promise<Described | null> {
      if (isHere) return here(false);
      const others = (await siblings.askOthers('health')) as { builds?: Described }[];
      return others.find(({ builds }) => builds)?.builds ?? null;
    },
  };
}

/** Whoever asks whether the node is ready does not wait for a trial of the sandbox. */
function soon<Value>(value: Promise<Value>): Promise<Value | null> {
  return Promise.race([value, delay(1_000, null, { ref: false })]);
}
