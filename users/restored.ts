import { installation } from './people.ts';
import { isReady, runService } from './shapes/service-process.ts';
import type { Settings } from './shapes/shape.ts';

/** Starts a second service of the same shape on other data, and waits until it is ready. */
export async function startRestored(settings: Settings): Promise<{ url: string; stop(): Promise<void> }> {
  const { elsewhere, cwd, env } = installation().operator;
  const service = runService([...elsewhere, 'start'], { cwd, env: { ...env, ...settings } });
  const url = `http://localhost:${settings.PORT}`;
  await service.until('the restored service is ready', () => isReady(url));
  return { url, stop: service.stop };
}
