import { createHash } from 'node:crypto';
import type { Pieces } from './pieces.ts';

/** Writes pieces, several at a time. They are certain to be stored only after `settle`. */
export type PieceWriter = {
  /** Stores a piece and returns its digest once another write can start. Throws the error of an earlier write. */
  write(piece: Buffer): Promise<Buffer>;
  /** Waits until all pieces are stored. Throws the error of a failed write. */
  settle(): Promise<void>;
};

export function openPieceWriter(pieces: Pieces, projectId: string): PieceWriter {
  const flying = new Map<string, Promise<void>>();
  let failure: { error: unknown } | null = null;
  const mustBeWell = () => {
    if (failure) throw failure.error;
  };
  return {
    async write(piece) {
      const digest = createHash('sha256').update(piece).digest();
      const name = digest.toString('hex');
      while (flying.size >= pieces.atOnce && !flying.has(name)) await Promise.race(flying.values());
      mustBeWell();
      const isStored = flying.has(name) || (await pieces.missing(projectId, [digest])).length === 0;
      if (!isStored) {
        const stored = pieces
          .store({ projectId, digest }, piece)
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => flying.delete(name));
        flying.set(name, stored);
      }
      return digest;
    },
    async settle() {
      await Promise.all(flying.values());
      mustBeWell();
    },
  };
}
