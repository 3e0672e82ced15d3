import type { Config } from '../../foundation/config/index.ts';
import { findProgram } from '../../foundation/processes/find-program.ts';
import { missingLanguages } from '../../workspaces/languages/index.ts';
import { languagesRoot } from '../../workspaces/running/index.ts';
import { type Check, missing, ok } from './check.ts';

const name = 'languages';

/**
 * Checks the language servers, which are optional. If the machine has no network later, an operator fetches them
 * beforehand.
 */
export async function checkLanguageServers(config: Config): Promise<Check[]> {
  if (config.workspaces.concurrency === 0) return [];
  const directory = languagesRoot(config);
  if (directory === null) return [ok(name, 'language servers are turned off')];
  const absent = await missingLanguages(directory);
  if (absent.length === 0) return [ok(name, `language servers are in ${directory}`)];
  if (await findProgram('npm', config.executablePath)) {
    return [ok(name, `${absent.join(' and ')}: will be fetched with npm on first use`)];
  }
  return [
    missing(
      name,
      `${absent.join(' and ')}: cannot be fetched, because npm is not installed`,
      'Run bottega language-servers on a machine with npm, and copy the directory.',
    ),
  ];
}
