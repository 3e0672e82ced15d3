import { parseArgs } from 'node:util';
import { workspaceLanguages } from '@bottega/contract';
import type { Config } from '../foundation/config/index.ts';
import { fetchLanguageServers } from '../workspaces/languages/index.ts';
import { languagesRoot } from '../workspaces/running/index.ts';
import { UsageError } from './command-error.ts';

/** `bottega language-servers`: fetches all language servers now, for workers that have no network later. */
export async function languageServers(config: Config, args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  if (positionals.length > 0) throw new UsageError('bottega language-servers takes no arguments');
  const directory = languagesRoot(config);
  const reason = await fetchLanguageServers({ directory, executablePath: config.executablePath });
  if (reason !== null) throw new UsageError(reason);
  process.stdout.write(`The language servers of ${workspaceLanguages.join(' and ')} are in ${directory}.\n`);
}
