import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../foundation/config/index.ts';

export type LoadedService = Promise<typeof import('../service.ts')>;

/**
 * Loads the service in the background. Loading takes longer than everything else at the start, so other problems are
 * found before it ends. The compiled code is cached.
 */
export function loadService(config: Config): LoadedService {
  enableCompileCache(compiledIn(config));
  const loading = import('../service.ts');
  // Callers that wait for the service get the error. If the start has already failed for another reason, nobody waits,
  // and the rejection must not count as unhandled.
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
