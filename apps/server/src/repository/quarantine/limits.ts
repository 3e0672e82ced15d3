/** The limits of a push. */
export type PushLimits = {
  /** Largest file, in bytes. */
  file: number;
  /** Largest pack as it is sent, in bytes. */
  pack: number;
  /** Maximum number of objects in one push. */
  objects: number;
  /** Largest total size of a push's objects, unpacked, in bytes. */
  unpacked: number;
};

/** Largest commit or tag including its message, in bytes. The largest that people write have some kilobytes. */
export const largestNote = 1024 * 1024;

/** Longest time for git to check one fact about a push, such as which objects are new. */
export const longestCheckMs = 60_000;

/**
 * Largest directory as git stores it, in bytes. It is enough for more than a hundred thousand names. Every write below
 * the directory reads all of it.
 */
export const largestTree = 8 * 1024 * 1024;

/** Longest path in bytes. The rules for paths allow fewer. */
export const longestPath = 4 * 1024;

export function inMebibytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${Math.round(bytes / 104_857.6) / 10} MiB` : `${bytes} bytes`;
}
