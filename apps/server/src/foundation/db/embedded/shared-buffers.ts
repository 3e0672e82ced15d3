const mebibyte = 2 ** 20;
const min = 128;
const max = 4096;
/** PostgreSQL recommends a quarter of a dedicated machine. This machine is shared with the service and its builds. */
const share = 1 / 8;

/** Size of the server's buffer cache. The system's page cache holds the rest. */
export const sharedBuffersMiB = (memoryBytes: number): number =>
  Math.min(Math.max(Math.floor((memoryBytes * share) / mebibyte), min), max);
