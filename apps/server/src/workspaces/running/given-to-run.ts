import type { Plan } from '@bottega/contract';
import type { Sandbox } from '../../deployments/index.ts';
import { type InstalledLanguages, noLanguages } from '../languages/index.ts';
import type { GivenToRun, WantedWorkspace } from '../state/index.ts';

export type PlanRules = {
  /** Whether programs in workspaces can reach public addresses. */
  networks: Record<Plan, boolean>;
  languagePlans: Record<Plan, boolean>;
};

export type GivenWorkspace = WantedWorkspace & { given: GivenToRun };

type Tools = PlanRules & { sandbox: Sandbox; languages: InstalledLanguages };

/**
 * What the plan of the project's owner and this worker allow in a run. A later change takes effect at the next start.
 */
export async function givenTo(
  { sandbox, languages: installed, networks, languagePlans }: Tools,
  plan: Plan,
): Promise<{ given: GivenToRun; languages: InstalledLanguages }> {
  const { network } = await sandbox.capabilities();
  const languages = languagePlans[plan] ? installed : noLanguages(`The ${plan} plan does not include language servers`);
  const hasNetwork = networks[plan] && !network.startsWith('none');
  return {
    given: { network: hasNetwork ? 'public' : 'off', languageServers: languages.directory !== null },
    languages,
  };
}
