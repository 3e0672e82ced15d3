import { loadDashboard, notBuilt } from '../../dashboard/index.ts';
import { describeSandbox } from '../../deployments/index.ts';
import { tryDeploying } from '../../deployments/serving/index.ts';
import { type Config, ConfigError, readConfig } from '../../foundation/config/index.ts';
import { describeDisk } from '../../foundation/machine.ts';
import { version } from '../../foundation/version.ts';
import { describeGit } from '../../repository/cache/index.ts';
import { broken, type Check, fromHealth, ok } from './check.ts';
import { findPlace } from './data-directory.ts';
import { checkDatabase } from './database.ts';
import { checkLanguageServers } from './language-servers.ts';
import { checkMail } from './mail.ts';
import { checkObjects } from './objects.ts';
import { checkPorts } from './ports.ts';
import { checkRedis } from './redis.ts';
import { checkTls } from './tls.ts';

export type { Check } from './check.ts';

/**
 * Checks everything that a start would notice, and what would otherwise be noticed only after the start. Leaves the
 * machine as it was.
 */
export async function checkMachine(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const own = ok('bottega', `${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`);
  const config = settingsOf(environment);
  if ('status' in config) return [own, config];
  const place = await findPlace(config.dataDir);
  // The other checks would fail for the same reason, with less helpful messages.
  if (place.check.status === 'broken') return [own, place.check];
  try {
    return [own, place.check, ...(await checkParts({ ...config, dataDir: place.directory }))];
  } finally {
    await place.leave();
  }
}

async function checkParts(config: Config): Promise<Check[]> {
  const found = await Promise.all([
    checkDatabase(config),
    checkRedis(config),
    checkObjects(config),
    checkPorts(config),
    checkTls(config),
    describeGit(config).then((git) => fromHealth('git', `git ${git.version}`, git)),
    describeSandbox(config, ({ sandbox, jobs }) =>
      tryDeploying({ driver: sandbox.driver, jobs, limits: config.builds.limits }),
    ).then((builds) => [
      // If the network is not available, a note contains the reason.
      ...fromHealth(
        'builds',
        `${builds.driver}, tested with a build and a server app${builds.notes.length > 0 ? '' : `, network: ${builds.network}`}`,
        builds,
      ),
      ...(config.workspaces.concurrency === 0
        ? []
        : fromHealth('workspaces', `run with ${builds.driver}`, { problem: builds.workspaces })),
    ]),
    describeDisk(config.dataDir).then((disk) => fromHealth('disk', `${disk.free_mib} MiB are free`, disk)),
    checkLanguageServers(config),
    checkMail(config),
    fromHealth('dashboard', 'is built', { problem: loadDashboard() ? null : notBuilt }),
  ]);
  return found.flat();
}

function settingsOf(environment: NodeJS.ProcessEnv): Config | Check {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return broken('settings', error.message, 'docs/settings.md lists all settings.');
  }
}
