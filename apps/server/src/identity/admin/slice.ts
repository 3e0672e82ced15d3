import type { Ground } from '../../foundation/ground.ts';
import type { App } from '../../foundation/http/index.ts';
import type { Slice } from '../../foundation/slice.ts';
import { adminRoutes } from './admin.routes.ts';
import type { HealthSources } from './health.service.ts';

type Needs = {
  credentialsChanged(): void;
  /** What the other slices tell of themselves, by name. */
  figures: HealthSources['parts'];
};

/** For administrators: all accounts, and how the service is doing. */
export function createAdministration(ground: Ground, { credentialsChanged, figures }: Needs): Slice {
  const { config, db, isDraining, pool, publicUrl } = ground;
  const options = { db, config, pool, isDraining, parts: figures, publicUrl, credentialsChanged };
  return { routes: (api: App) => adminRoutes(api, options) };
}
