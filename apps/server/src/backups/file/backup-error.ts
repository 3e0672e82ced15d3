/** An error that an operator can fix or has to know; its message is the one line that they see. */
export class BackupError extends Error {}
