import type { Readable } from 'node:stream';

/** Reads everything that a run writes; what came so far is there whenever it is asked for. */
export function gatherOutput({ stdout, stderr }: { stdout: Readable; stderr: Readable }): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}
