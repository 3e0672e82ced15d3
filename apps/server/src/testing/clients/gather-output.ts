import type { Readable } from 'node:stream';

/** Reads all output of a process; the returned function gives the output so far. */
export function gatherOutput({ stdout, stderr }: { stdout: Readable; stderr: Readable }): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}
