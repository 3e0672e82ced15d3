/** The message is the one line that the operator sees; no stack. */
export class UsageError extends Error {}

/** A process that was started for this one has said why it could not go on. */
export class AlreadyTold extends Error {}
