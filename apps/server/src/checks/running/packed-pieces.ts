import type { Running } from '../../deployments/index.ts';
import { LayerProblem } from '../../workspaces/layers/index.ts';

const pieceBytes = 1024 * 1024;
export const maxCacheBytes = 1024 ** 3;

/**
 * The archive that a run prints, in pieces of one size. Null if the run prints nothing. When the pieces end, for
 * whatever reason, the run is stopped or over.
 */
export async function packedBy(running: Running, signal: AbortSignal): Promise<AsyncGenerator<Buffer> | null> {
  const stop = () => void running.stop(0);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  running.stderr.resume();
  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      let bytes = 0;
      for await (const piece of inPieces(running.stdout)) {
        bytes += piece.length;
        if (bytes > maxCacheBytes) throw new LayerProblem('it has more than 1 GiB');
        yield piece;
      }
      const { code, stoppedBy } = await running.ended;
      if (code !== 0)
        throw new LayerProblem(stoppedBy === 'time' ? 'it took too long' : `tar exited with code ${code}`);
    } finally {
      running.stdout.resume();
      await running.stop(0);
      signal.removeEventListener('abort', stop);
    }
  }
  const all = pieces();
  const first = await all.next();
  if (first.done) return null;
  return (async function* () {
    try {
      yield first.value;
      yield* all;
    } finally {
      await all.return(undefined);
    }
  })();
}

async function* inPieces(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let rest = chunk;
    while (bytes + rest.length >= pieceBytes) {
      const part = rest.subarray(0, pieceBytes - bytes);
      yield Buffer.concat([...held, part]);
      rest = rest.subarray(part.length);
      held = [];
      bytes = 0;
    }
    if (rest.length > 0) held.push(rest);
    bytes += rest.length;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
