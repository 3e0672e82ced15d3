/** A second service was started on a data directory in use. The message is the one line to print. */
export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError';
}

/** The embedded database cannot be had. The message is for the operator and says what to do. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}
