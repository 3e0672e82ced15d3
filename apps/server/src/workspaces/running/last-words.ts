import type { Readable } from 'node:stream';
import { reasonSentence } from '@bottega/contract';
import type { Running } from '../../deployments/index.ts';
import { plainWords } from '../state/index.ts';

/** A chunk of this size is no error message but part of a flood: programs may write to the agent's streams for ever. */
const floodBytes = 8_192;
const restMs = 20;

/** Returns a function that returns what the agent wrote last before it ended. */
export function lastWords({ stdout, stderr }: Running): () => string {
  let words = '';
  readSlowly(stdout, () => undefined);
  readSlowly(stderr, (chunk) => {
    words = (words + chunk.subarray(-1_000).toString()).slice(-1_000);
  });
  return () => {
    const lines = words.trim().split('\n');
    // The last line is not enough, because Node prints its version there.
    return plainWords(lines.findLast((line) => line.includes('Error: ')) ?? lines.at(-1) ?? '');
  };
}

/** Reads a stream, with a pause after each large chunk, so that a flood does not block the event loop. */
function readSlowly(stream: Readable, onChunk: (chunk: Buffer) => void): void {
  stream.on('data', (chunk: Buffer) => {
    onChunk(chunk);
    if (chunk.length < floodBytes) return;
    stream.pause();
    setTimeout(() => stream.resume(), restMs).unref();
  });
}

export function whyEnded({ stoppedBy, code }: Awaited<Running['ended']>, words: string): string {
  if (stoppedBy === 'memory') return reasonSentence('workspace_memory');
  if (stoppedBy === 'disk') return reasonSentence('workspace_disk');
  if (words !== '') return reasonSentence('workspace_ended', { detail: words });
  return reasonSentence('workspace_exited', { code: String(code) });
}
