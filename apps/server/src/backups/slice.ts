import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import { rememberHealth } from '../foundation/remembered-health.ts';
import type { PartHealth, Slice } from '../foundation/slice.ts';
import { version } from '../foundation/version.ts';
import { type MadeBackup, readLastBackups } from './backups.sql.ts';
import { makeScheduledBackup } from './scheduled.service.ts';

/** Scheduled backups, if `BOTTEGA_BACKUP_SCHEDULE` is set. */
export function createBackups(ground: Ground) {
  const { config, db } = ground;
  const isAsked = config.backups.schedule !== null;
  const known = rememberHealth(describe({ last: null, lastGood: null }), async () =>
    describe(await readLastBackups(db)),
  );
  return {
    jobs: { 'backups:make': () => makeScheduledBackup(ground, version) },
    ...(isAsked && {
      health: async (isPatient) => ({ backups: await known(isPatient) }),
      metrics: (registry) => registerMetrics(registry, db),
    }),
  } satisfies Slice;
}

function describe({ last, lastGood }: Awaited<ReturnType<typeof readLastBackups>>): PartHealth {
  return {
    problem: last?.problem ? `The last backup, ${last.ended_at.toISOString()}, failed: ${last.problem}` : null,
    last_made_at: lastGood?.ended_at.toISOString() ?? null,
    last_path: lastGood?.path ?? null,
    last_bytes: lastGood?.size ?? null,
  };
}

function registerMetrics(registry: Registry, db: Db): void {
  const gauge = (name: string, help: string, value: (made: Made) => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator: 'max',
      async collect() {
        const made = await readLastBackups(db).catch(() => null);
        const now = made && value(made);
        if (now !== null && now !== undefined) this.set(now);
      },
    });
  const seconds = (made: MadeBackup | null) => made && made.ended_at.getTime() / 1000;
  gauge(
    'bottega_backup_last_success_seconds',
    'Unix time at which the last successful scheduled backup ended',
    ({ lastGood }) => seconds(lastGood) ?? undefined,
  );
  gauge(
    'bottega_backup_last_size_bytes',
    'Size of the last successful scheduled backup',
    ({ lastGood }) => lastGood?.size ?? undefined,
  );
  gauge('bottega_backup_failed', '1 if the last scheduled backup failed', ({ last }) => (last?.problem ? 1 : 0));
}

type Made = Awaited<ReturnType<typeof readLastBackups>>;
