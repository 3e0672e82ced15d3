import { setTimeout as delay } from 'node:timers/promises';
import type { Siblings } from '../../foundation/cluster/siblings.ts';
import type { Capabilities, JobsDirectory, Limits, Sandbox } from '../sandbox/index.ts';
import { tryDeploying } from '../serving/index.ts';

type Options = { sandbox: Sandbox; jobs: JobsDirectory; siblings: Siblings; limits: Omit<Limits, 'seconds'> };
type Described = Capabilities & { set_aside: number };

/** Describes what this machine can do to build and run apps, as far as it was tested. */
export function describeBuilds({ sandbox, jobs, siblings, limits }: Options) {
  let tried: Promise<string | null> | null = null;
  let problemOfTrial: string | null = null;

  /**
   * Describes this process. For a caller that can wait, such as the start in the background, it runs a test build and a
   * test app once. Other callers get what is known so far.
   */
  async function here(isPatient: boolean): Promise<Described | null> {
    const asked = sandbox.capabilities();
    const capabilities = await (isPatient ? asked : soon(asked));
    if (!capabilities) return null;
    if (capabilities.problem === null && isPatient) {
      tried ??= tryDeploying({ driver: sandbox.driver, jobs, limits });
      problemOfTrial = await tried;
    }
    return { ...capabilities, problem: capabilities.problem ?? problemOfTrial, set_aside: jobs.setAside() };
  }

  /**
   * Describes the builds of this machine. Only one process of a machine builds. If that is another process, it is
   * asked.
   */
  async function ofMachine(isHere: boolean): Promise<Described | null> {
    if (isHere) return here(false);
    const others = (await siblings.askOthers('health')) as { builds?: Described }[];
    return others.find(({ builds }) => builds)?.builds ?? null;
  }

  let known: Described | null = null;
  return {
    here,
    ofMachine,
    /**
     * Why no workspace can run, as far as this machine knows. Null if workspaces can run, or if that is not known yet.
     * A known answer is cached, because it stays the same while the machine's processes run.
     */
    async workspaceProblem(isHere: boolean): Promise<string | null> {
      known ??= await ofMachine(isHere);
      return known?.workspaces ?? null;
    },
  };
}

/** Returns the value if it is known soon, because a readiness check does not wait for a test of the sandbox. */
function soon<Value>(value: Promise<Value>): Promise<Value | null> {
  return Promise.race([value, delay(1_000, null, { ref: false })]);
}
