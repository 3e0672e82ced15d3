/** An error that an operator can fix or must know about. Its message is the one line that they see. */
export class BackupError extends Error {}
