import type { Node } from './protocol.ts';

const freshMs = 2_000;

/** The nodes as they were a moment ago: nobody waits for the newest list, and nobody reads it while nobody asks. */
export function rememberNodes(list: () => Promise<Node[]>, onError: (error: unknown) => void): () => readonly Node[] {
  let known: readonly Node[] = [];
  let askedAt = 0;
  return () => {
    if (Date.now() - askedAt > freshMs) {
      askedAt = Date.now();
      list().then((nodes) => {
        known = nodes;
      }, onError);
    }
    return known;
  };
}
