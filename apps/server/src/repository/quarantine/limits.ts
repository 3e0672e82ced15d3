/** What a push may bring, beyond the limit on single files. */
export type PushLimits = {
  /** Bytes of one file. */
  file: number;
  /** Bytes of the pack as it is sent. */
  pack: number;
  /** Objects in one push. */
  objects: number;
  /** Bytes of all objects of one push, unpacked. */
  unpacked: number;
};

/** Of one commit or tag, its message included. The largest that people write have some kilobytes. */
export const largestNote = 1024 * 1024;

/** For git to find out one thing about a push, such as what is new in it. */
export const longestCheckMs = 60_000;

/** Of one directory as git stores it: more than a hundred thousand names. Every write below it reads it whole. */
export const largestTree = 8 * 1024 * 1024;

/** In bytes; the rule of paths allows fewer. */
export const longestPath = 4 * 1024;

export function inMebibytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${Math.round(bytes / 104_857.6) / 10} MiB` : `${bytes} bytes`;
}
