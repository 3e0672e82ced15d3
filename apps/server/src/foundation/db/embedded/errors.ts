/** A second service was started on a data directory that is in use. The message is the line that the operator sees. */
export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError';
}

/** The embedded database is not available. The message tells the operator what to do. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}
