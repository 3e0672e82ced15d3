import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Running, SandboxError } from '../../deployments/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { findLayer, LayerProblem, type LayerStore } from '../../workspaces/layers/index.ts';
import * as rows from '../caches/index.ts';
import type { Job, Place } from './job.ts';
import { packedBy } from './packed-pieces.ts';

/** Whose cache a run began with. */
export type Restored = 'own' | 'main' | 'none';

/** The directories that a check keeps for its next run. */
export type Caches = {
  /** Unpacks what an earlier run kept. If a cache is damaged, the check runs without it. */
  restore(place: Place, job: Job): Promise<Restored>;
  /** Keeps the directories of a run that succeeded. */
  keep(place: Place, job: Job, restored: Restored): Promise<void>;
};

const main = 'main';
/** The time limit for packing or unpacking, in seconds. */
const seconds = 300;

export function createCaches({ db, store }: { db: Db; store: LayerStore }): Caches {
  /**
   * Restores a cache: that of the run's own scope or, if people who can write to the project wrote its files, that of
   * `main`. A run never writes to another scope, because what one branch leaves behind must not run in another.
   */
  async function restore(place: Place, job: Job): Promise<Restored> {
    const { row, log } = job;
    if (row.cache.length === 0) return 'none';
    for (const scope of row.trusted ? new Set([row.scope, main]) : [row.scope]) {
      const cache = { projectId: row.project_id, scope, key: keyOf(job) };
      const id = await rows.useCache(db, cache);
      const layer = id === undefined ? undefined : await findLayer(db, row.project_id, id);
      if (!layer) continue;
      try {
        await unpack(place, job, store.read(row.project_id, layer));
        log.say(`Restored the cache of ${scope}: ${log.masked(row.cache.join(', '))}`);
        return scope === main && row.scope !== main ? 'main' : 'own';
      } catch (error) {
        job.signal.throwIfAborted();
        log.say(`The cache of ${scope} could not be restored: ${wordsOf(error)}`, 'warn');
        await rows.dropCache(db, cache, layer.id);
      }
    }
    return 'none';
  }

  async function keep(place: Place, job: Job, restored: Restored): Promise<void> {
    const { row, attempt, log } = job;
    if (row.cache.length === 0 || row.scope === '') return;
    const projectId = row.project_id;
    // Only in this case, the cache is the same as a run of the same files on `main` would have left.
    const isClean = row.trusted && (row.scope === main || restored !== 'own');
    const cache = { projectId, scope: row.scope, key: keyOf(job), tree: isClean ? row.tree_sha : null };
    try {
      const packed = await packedBy(await startPacking(place, job), job.signal);
      if (!packed) return log.say('There is nothing to keep for the next run');
      const layer = { projectId, kind: 'cache', setupKey: null } as const;
      await store.write(layer, packed, async (trx, layerId) => ({
        fingerprint: '',
        isNamed: await rows.putCache(trx, { ...cache, layerId, run: { id: row.id, attempt } }),
      }));
      log.say(`Kept for the next run: ${log.masked(row.cache.join(', '))}`);
    } catch (error) {
      job.signal.throwIfAborted();
      log.say(`The cache was not kept: ${wordsOf(error)}`, 'warn');
    }
  }

  return { restore, keep };
}

const keyOf = ({ row }: Job): Buffer => rows.cacheKey(row.name, row.cache);

/**
 * The message for the log. Any other error ends the run: the database or the object storage is unavailable, and the run
 * is repeated later.
 */
function wordsOf(error: unknown): string {
  if (error instanceof LayerProblem || error instanceof SandboxError) return error.message;
  throw error;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Unpacks a cache. A tenant made the archive, so it is opened only in the sandbox, and only the directories of the
 * cache are taken from it. The archive is written before any program has run in the directory, so no link can be at its
 * path.
 */
async function unpack(
  { driver, id, directory, limits }: Place,
  job: Job,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  const name = `.bottega-cache-${randomBytes(8).toString('hex')}`;
  const file = createWriteStream(join(directory, 'workspace', name), { flags: 'wx' });
  await pipeline(Readable.from(pieces), file, { signal: job.signal });
  const running = await driver.start({
    ...{ id: `${id}_unpack`, directory, environment: {}, port: null, isOffline: true },
    command: `tar -xf ${name} -- ${job.row.cache.map(quoted).join(' ')}; code=$?; rm -f ${name}; exit $code`,
    limits: { ...limits, seconds },
  });
  for (const stream of [running.stdout, running.stderr]) stream.resume();
  const { code } = await stoppedWith(running, job.signal);
  // tar reports an error if one of the directories did not exist when the cache was packed.
  if (code !== 0 && code !== 2) throw new LayerProblem(`unpacking it exited with code ${code}`);
}

async function stoppedWith(running: Running, signal: AbortSignal) {
  const stop = () => void running.stop(0);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const exit = await running.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return exit;
}

/**
 * Packs the directories in a run that cannot change files, after the check's own run has ended. A directory that is a
 * link is left out.
 */
const startPacking = ({ driver, id, directory, limits }: Place, { row }: Job): Promise<Running> =>
  driver.start({
    ...{ id: `${id}_pack`, directory, environment: {}, port: null, isReadOnly: true, isOffline: true },
    command: `set --
for name in ${row.cache.map(quoted).join(' ')}; do [ -d "$name" ] && [ ! -L "$name" ] && set -- "$@" "$name"; done
[ $# -gt 0 ] || exit 0
exec tar -cf - -- "$@"`,
    limits: { ...limits, seconds },
  });
