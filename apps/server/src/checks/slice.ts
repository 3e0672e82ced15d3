import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { type Bell, deleteOldLines, type JobsDirectory, type Pieces, type Sandbox } from '../deployments/index.ts';
import { ofEachPlan } from '../foundation/config/index.ts';
import type { SecretBox } from '../foundation/crypto/secret-box.ts';
import type { Db, Trx } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { openLayerStore } from '../workspaces/layers/index.ts';
import { dropUnusedCaches } from './caches/index.ts';
import { checkRoutes } from './requests/index.ts';
import { checkKind, createCaches } from './running/index.ts';
import { checkBook, dropOldAnnotations, registerCheckMetrics } from './state/index.ts';
import { type Wanted, wantChecks, wantPushed } from './wanting/index.ts';

type Needs = {
  forWorkspaces: { sandbox: Sandbox; jobs: JobsDirectory; bell: Bell; box: SecretBox; pieces: Pieces };
  /** Throws once the caller of a long request has lost the right to make it. */
  stillHolds(request: FastifyRequest): Promise<void>;
};

/** Checks: commands of bottega.json that run on the files of commits, and what other systems report. */
export function createChecks(ground: Ground, { forWorkspaces, stillHolds }: Needs) {
  const { config, db, log, once, publicUrl, isDraining } = ground;
  const { sandbox, jobs, bell, box, pieces } = forWorkspaces;
  const { limits, logBytes, logDays } = config.builds;
  const store = openLayerStore({ db, pieces, limits: ofEachPlan(config.plans, 'storedBytes') });
  const caches = createCaches({ db, store });
  const wanting = { box, bell };
  return {
    /** Creates the runs that are missing, in the caller's transaction. */
    wantChecks: (trx: Trx, wanted: Wanted) => wantChecks(trx, wanted, wanting),
    /** The work that workers of builds take. */
    work: checkKind({ db, sandbox, jobs, limits, caches, log, box, bell, logBytes }),
    /** Called in the transaction in which branches move. */
    pushed: wantPushed(wanting),
    routes(api: App) {
      checkRoutes(api, { ...wanting, db, once, publicUrl, isDraining, stillHolds });
    },
    metrics: (registry: Registry) => registerCheckMetrics(registry, db),
    cleaning: [
      dropUnusedCaches,
      (all: Db) => deleteOldLines(all, checkBook, logDays),
      (all: Db) => dropOldAnnotations(all, logDays),
    ],
  } satisfies Slice & Record<string, unknown>;
}
