/** What an operator can mend or has to know; its message is the one line that they see. */
export class BackupError extends Error {}
