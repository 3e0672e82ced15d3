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

export function inMebibytes(bytes: number): string {
  return bytes >= 1_048_576 ? `${Math.round(bytes / 104_857.6) / 10} MiB` : `${bytes} bytes`;
}
