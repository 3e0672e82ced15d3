import { reasonSentence } from '@bottega/contract';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { transaction } from '../../foundation/db/index.ts';
import type { Channel } from '../agent/channels.mjs';
import { plainWords } from '../state/index.ts';
import { arrivingPieces } from './arriving-pieces.ts';
import { type Base, type LayerTools, type Run, unpackAhead } from './base.ts';
import { LayerProblem } from './layer-store.ts';
import * as rows from './layers.sql.ts';

/** Stores the files of a running workspace that the branch does not have. */
export type Keeper = {
  /**
   * Stores these files if they have changed. If that fails, returns the reason, which the workspace then also shows.
   */
  pack(ms: number): Promise<string | null>;
  /** Stores these files as the result of the setup, for new workspaces with the same key. */
  packSetup(key: Buffer, ms: number): Promise<void>;
  /** Stores these files from time to time until the signal is aborted. */
  packRegularly(signal: AbortSignal): void;
};

type Open = (request: Record<string, unknown>) => Channel;

const soonestMs = 300_000;
/** The pause after a slow pack is this many times its duration. */
const pauses = 60;
export const longestMs = 120_000;

type Options = { run: Run; base: Base; home: string; open: Open };

export function createKeeper(tools: LayerTools, { run, base, home, open }: Options): Keeper {
  const { db, store, limits, fileLimit } = tools;
  const { claim, projectId } = run;
  let fingerprint = base.fingerprint;
  let setupKey = base.doneKey;
  const turn = keyedQueue();

  async function packOnce(kind: rows.LayerKind, signal: AbortSignal): Promise<string | null> {
    const channel = open({ kind: 'pack', unless: fingerprint, max_bytes: limits.diskBytes, file_bytes: fileLimit });
    const stop = () => channel.destroy(new LayerProblem('it took too long'));
    signal.addEventListener('abort', stop, { once: true });
    channel.end();
    let now = '';
    async function* all(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      yield first;
      yield* others;
      now = fingerprintOf(await channel.result);
    }
    try {
      const arriving = arrivingPieces(channel, limits.diskBytes);
      const first = await arriving.next();
      if (first.done) return await packedNothing(await channel.result);
      const layer = { projectId, kind, setupKey };
      const id = await store.write(layer, all(first.value, arriving), async (trx, layerId) => ({
        fingerprint: now,
        isNamed: await rows.nameLayer(trx, { ...claim, layerId, home }),
      }));
      if (id !== null) fingerprint = now;
      return id;
    } finally {
      signal.removeEventListener('abort', stop);
      channel.destroy();
    }
  }

  /** Nothing was packed: the files are still those of the layer, or there are none. */
  async function packedNothing(result: unknown): Promise<null> {
    const now = fingerprintOf(result);
    if (now === fingerprint) await rows.notePacked(db, claim);
    else await transaction(db, (trx) => rows.nameLayer(trx, { ...claim, layerId: null, home }));
    fingerprint = now;
    return null;
  }

  async function tried(kind: rows.LayerKind, ms: number): Promise<{ id: string | null; problem: string | null }> {
    try {
      return { id: await turn('pack', () => packOnce(kind, AbortSignal.timeout(ms))), problem: null };
    } catch (error) {
      const { isFromAgent, message } = error as Error & { isFromAgent?: boolean };
      const isTold = error instanceof LayerProblem || isFromAgent === true;
      if (!isTold) tools.onError(error, 'failed to store the files of a workspace');
      const detail = isTold ? plainWords(message) : 'an internal error';
      const problem = reasonSentence('ignored_files_not_stored', { detail });
      await rows.noteLayerProblem(db, claim, problem).catch(() => undefined);
      return { id: null, problem };
    }
  }

  return {
    async pack(ms) {
      return (await tried('workspace', ms)).problem;
    },
    async packSetup(key, ms) {
      setupKey = key;
      const { id } = await tried('setup', ms);
      if (id === null) return;
      // This disk already has these files, but only as this workspace's own. Other workspaces need them as a layer.
      void unpackAhead(tools, projectId, id).catch((error: unknown) =>
        tools.onError(error, 'failed to unpack a layer'),
      );
    },
    packRegularly(signal) {
      const next = (pause: number) => {
        const timer = setTimeout(async () => {
          const begun = Date.now();
          await tried('workspace', longestMs);
          if (!signal.aborted) next(Math.max(soonestMs, (Date.now() - begun) * pauses));
        }, pause);
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      };
      next(soonestMs);
    },
  };
}

const sha256 = /^[0-9a-f]{64}$/;

/** Checks the fingerprint, because the agent is not trusted. */
function fingerprintOf(result: unknown): string {
  const { fingerprint } = (result ?? {}) as { fingerprint?: unknown };
  if (typeof fingerprint !== 'string' || !sha256.test(fingerprint)) throw new LayerProblem('the agent gave no answer');
  return fingerprint;
}
