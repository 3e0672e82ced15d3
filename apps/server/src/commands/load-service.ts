import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../foundation/config/index.ts';

export type LoadedService = Promise<typeof import('../service.ts')>;

/** The service takes longest to load, so other problems are found before or meanwhile. Its compiled code is cached. */
export function loadService(config: Config): LoadedService {
  enableCompileCache(compiledIn(config));
  const loading = import('../service.ts');
  // Callers that wait for it get the error. A start that has already failed does not wait.
  loading.catch(() => undefined);
  return loading;
}

/** The folder for compiled code in the data directory, which is created with access for its owner only. */
export function compiledIn({ dataDir }: Config): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    // The data directory is needed for more than speed later, and that code reports the error.
  }
  return join(dataDir, 'compiled');
}
