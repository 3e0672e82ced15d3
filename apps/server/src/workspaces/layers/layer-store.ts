import {
  dropWhatIsUnused,
  holdClaims,
  ObjectsAwayError,
  openPieceWriter,
  PieceLostError,
  type Pieces,
  SandboxError,
  type StorageLimits,
} from '../../deployments/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { findOwner, mustHaveStorage } from '../../projects/index.ts';
import * as rows from './layers.sql.ts';

/** Why files could not be kept, in words for the workspace's users. */
export class LayerProblem extends Error {
  override readonly name = 'LayerProblem';
}

type NewLayer = { projectId: string; kind: rows.LayerKind; setupKey: Buffer | null };

/** Stores the layers of workspaces, in pieces as artifacts are stored. */
export type LayerStore = {
  /**
   * Stores pieces as they arrive. `name` runs in the transaction that completes the layer, so that a complete layer is
   * always named by a row. If `name` returns `isNamed: false`, the layer is given up. Null if another worker stores the
   * result of the same setup.
   */
  write(layer: NewLayer, pieces: AsyncIterable<Buffer>, name: Naming): Promise<string | null>;
  /** The pieces of a layer, in order. */
  read(projectId: string, layer: rows.LayerRow): AsyncGenerator<Buffer>;
  /** Deletes the project's layers that no row names any more, with their pieces. */
  release(projectId: string): Promise<void>;
};

type Naming = (trx: Trx, layerId: string) => Promise<{ fingerprint: string; isNamed: boolean }>;

const digestBytes = 32;
/** The number of bytes that are stored between two checks of the plan's limit. */
const lookEveryBytes = 16 * 2 ** 20;
const readAhead = 4;

export function openLayerStore({ db, pieces, limits }: { db: Db; pieces: Pieces; limits: StorageLimits }): LayerStore {
  async function mustFit(projectId: string): Promise<void> {
    const owner = await findOwner(db, projectId);
    await mustHaveStorage(db, owner, { storedBytes: limits[owner.plan] }).catch((error: unknown) => {
      throw error instanceof AppError ? new LayerProblem(error.message) : error;
    });
  }

  /** Returns the digests, one after the other. */
  async function store(projectId: string, arriving: AsyncIterable<Buffer>) {
    const writer = openPieceWriter(pieces, projectId);
    const digests: Buffer[] = [];
    let [bytes, unseen] = [0, lookEveryBytes];
    try {
      for await (const piece of arriving) {
        digests.push(await writer.write(piece));
        bytes += piece.length;
        unseen += piece.length;
        if (unseen < lookEveryBytes) continue;
        unseen = 0;
        await mustFit(projectId);
      }
    } finally {
      // Waits for the last writes: unused pieces are deleted next, and none may be written after that.
      await writer.settle().catch(asProblem);
    }
    await mustFit(projectId);
    return { chunks: Buffer.concat(digests), bytes };
  }

  async function release(projectId: string): Promise<void> {
    const isSome = await transaction(db, (trx) => rows.releaseLayers(trx, projectId));
    if (isSome) while (await dropWhatIsUnused(db, { projectId, deploymentId: null }));
  }

  return {
    async write(layer, arriving, name) {
      const id = newId('lay');
      const isOurs = await transaction(db, async (trx) => {
        // Until this row exists, pieces must not be deleted: the layer may use pieces that are stored already.
        await holdClaims(trx);
        return rows.insertLayer(trx, { ...layer, id });
      });
      if (!isOurs) return null;
      try {
        const stored = await store(layer.projectId, arriving);
        await transaction(db, async (trx) => {
          const { fingerprint, isNamed } = await name(trx, id);
          const isComplete = isNamed && (await rows.completeLayer(trx, id, { ...stored, fingerprint }));
          if (!isComplete) throw new LayerProblem('another worker runs the workspace');
        });
      } catch (error) {
        await rows.giveUpLayer(db, id);
        await release(layer.projectId);
        throw error;
      }
      await release(layer.projectId);
      return id;
    },
    async *read(projectId, { chunks }) {
      const digests = Array.from({ length: chunks.length / digestBytes }, (_, number) =>
        chunks.subarray(number * digestBytes, (number + 1) * digestBytes),
      );
      const reads: Promise<Buffer>[] = [];
      for (let number = 0; number < digests.length; number++) {
        for (let next = reads.length; next < Math.min(digests.length, number + readAhead); next++) {
          const read = pieces.read({ projectId, digest: digests[next] as Buffer });
          read.catch(() => undefined);
          reads.push(read);
        }
        yield await (reads[number] as Promise<Buffer>).catch(asLost);
        reads[number] = Promise.resolve(Buffer.alloc(0));
      }
    },
    release,
  };
}

function asProblem(error: unknown): never {
  throw error instanceof ObjectsAwayError ? new LayerProblem(error.message) : error;
}

/**
 * Distinguishes a lost piece from an object storage that is unavailable. The storage still has the files, so the
 * workspace must not start without them.
 */
function asLost(error: unknown): never {
  if (error instanceof ObjectsAwayError) throw new SandboxError(error.message);
  throw error instanceof PieceLostError ? new LayerProblem('they are no longer stored', { cause: error }) : error;
}

const projectsAtOnce = 100;

/**
 * Releases layers whose workspaces were deleted with an account. The pieces of these layers are deleted later, with
 * those of artifacts.
 */
export async function releaseAllLayers(db: Db): Promise<void> {
  for (let found = await rows.projectsWithLayers(db, '', projectsAtOnce); found.length > 0; ) {
    for (const projectId of found) await transaction(db, (trx) => rows.releaseLayers(trx, projectId));
    found = await rows.projectsWithLayers(db, found.at(-1) ?? '', projectsAtOnce);
  }
}
