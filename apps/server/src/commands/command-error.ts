/** An error whose message is the one line that the operator sees, without a stack. */
export class UsageError extends Error {}

/** A child process has already printed why it could not continue. */
export class AlreadyTold extends Error {}
