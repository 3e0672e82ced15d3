import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../foundation/config/index.ts';

export type LoadedService = Promise<typeof import('../service.ts')>;

/** It takes longest to load: what keeps a start from going on is told before, or found out meanwhile. The next start finds it compiled. */
export function loadService(config: Config): LoadedService {
  enableCompileCache(compiledIn(config));
  const loading = import('../service.ts');
  // Told to those who wait for it; a start that has failed before does not.
  loading.catch(() => undefined);
  return loading;
}

/** In the data directory, which is nobody else's from its beginning. */
export function compiledIn({ dataDir }: Config): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    // Whoever needs it for more than speed will say what is wrong with it.
  }
  return join(dataDir, 'compiled');
}
