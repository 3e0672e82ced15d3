import { startHeartbeat } from '../foundation/concurrency/heartbeat.ts';
import type { Db } from '../foundation/db/index.ts';
import { requestAlways } from './certificates.sql.ts';
import * as rows from './issuer.sql.ts';
import { accountKey, createDesk, type DeskOptions } from './order-desk.ts';

type Options = DeskOptions & {
  /** The connections for the lease. */
  vital: Db;
  issuerId: string;
  warn(error: unknown, what: string): void;
};

const beatMs = 2_000;
const leaseSeconds = 15;

/**
 * Orders and renews certificates in the one process that holds the lease. If a process was paused for long, it may
 * continue an order that another process has begun again meanwhile. This wastes one order but breaks nothing, because
 * both certificates are valid.
 */
export function startIssuer(options: Options): { stop(): Promise<void> } {
  const { db, vital, authority, names, issuerId, warn } = options;
  const { directory } = authority;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lease = { directory, issuerId, seconds: leaseSeconds };
  let work: Promise<void> | null = null;

  async function workOff(): Promise<void> {
    await requestAlways(db, directory, names.always);
    const desk = createDesk(options, signal);
    for (;;) {
      const due = await rows.findDue(db, directory);
      if (!due || signal.aborted || !(await rows.takeLease(vital, lease))) return;
      await desk.handle(due);
    }
  }

  async function beat(): Promise<void> {
    await accountKey(vital, options);
    if (!(await rows.takeLease(vital, lease))) return;
    work ??= workOff()
      .catch((error: unknown) => signal.aborted || warn(error, 'failed to maintain certificates'))
      .then(() => {
        work = null;
      });
  }

  const heartbeat = startHeartbeat({
    everyMs: beatMs,
    beat,
    onError: (error) => warn(error, 'failed to renew the certificate lease'),
  });
  void heartbeat.beatNow();
  return {
    async stop() {
      stopping.abort();
      await heartbeat.stop();
      await work;
      await rows.releaseLease(db, lease).catch(() => undefined);
    },
  };
}
