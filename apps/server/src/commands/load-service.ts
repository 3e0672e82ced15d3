import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../foundation/config/index.ts';

export type LoadedService = Promise<typeof import('../service.ts')>;

/**
 * Loads the service in the background. This takes the longest, so other problems are found before it ends. Its compiled
 * code is cached.
 */
export function loadService(config: Config): LoadedService {
  enableCompileCache(compiledIn(config));
  const loading = import('../service.ts');
  // Callers that wait for it get the error. A start that has already failed does not wait for it.
  loading.catch(() => undefined);
  return loading;
}

/** The folder for compiled code in the data directory, which is created with access for its owner only. */
export function compiledIn({ dataDir }: Config): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    // Without this folder, loading is only slower. The code that needs the data directory reports the error.
  }
  return join(dataDir, 'compiled');
}
