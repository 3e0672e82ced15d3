const mebibyte = 2 ** 20;
const least = 128;
const most = 4096;
/** PostgreSQL's own advice is a quarter of a machine of its own; this one is shared with the service and its builds. */
const share = 1 / 8;

/** What the server keeps of its tables in memory. The system's cache has the rest. */
export const sharedBuffersMiB = (memoryBytes: number): number =>
  Math.min(Math.max(Math.floor((memoryBytes * share) / mebibyte), least), most);
