import type { AgentFiles, BuildDriver } from '../../deployments/index.ts';
import type { Channel } from '../agent/channels.mjs';
import {
  createLanguages,
  type InstalledLanguages,
  type Languages,
  openLanguagesDirectory,
} from '../languages/index.ts';
import type { Sync } from '../sync/index.ts';
import type { createUse } from './use.ts';
import { within } from './within.ts';

type Tools = {
  languages: InstalledLanguages;
  agent(): AgentFiles;
  limits: { memoryBytes: number };
  onError(error: unknown, what: string): void;
};

type Run = {
  driver: BuildDriver;
  open(request: Record<string, unknown>): Channel;
  use: ReturnType<typeof createUse>;
  /** Aborted when the run ends. */
  over: AbortSignal;
  /** The sync of the workspace's files. Null until it has started. */
  sync(): Sync | null;
};

const settleMs = 5_000;

/** The language servers of one run of a workspace. They start when they are needed. */
export function startLanguages(tools: Tools, { driver, open, use, over, sync }: Run): Languages {
  const languages = createLanguages({
    installed: {
      ...tools.languages,
      async prepare(language) {
        await tools.languages.prepare(language);
        await driver.keeps?.bringAgent({ ...tools.agent(), languages: tools.languages.directory });
      },
    },
    open,
    memoryBytes: tools.limits.memoryBytes,
    paths: () => sync()?.paths() ?? [],
    pull: () => within(settleMs, sync()?.pull() ?? Promise.resolve()),
    onUse: use.touch,
    onError: (error) => tools.onError(error, 'failed to serve a language'),
  });
  over.addEventListener('abort', languages.stop, { once: true });
  return languages;
}

/**
 * The directory of language servers that a workspace sees. Servers that are fetched later appear in it. Null if there
 * is none, and then the workspace runs without language servers.
 */
export async function languagesSeen({
  languages,
  onError,
}: Pick<Tools, 'languages' | 'onError'>): Promise<string | null> {
  const { directory } = languages;
  if (directory === null) return null;
  try {
    await openLanguagesDirectory(directory);
    return directory;
  } catch (error) {
    onError(error, 'failed to open the directory of language servers');
    return null;
  }
}
