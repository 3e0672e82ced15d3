/** The message is the one line that the operator sees; no stack. */
export class UsageError extends Error {}
