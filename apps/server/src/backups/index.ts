/** What the command line and the service take of backups. */

export { backUp } from './backup.service.ts';
export { BackupError } from './backup-error.ts';
export type { Progress } from './dump.service.ts';
export type { Manifest } from './manifest.ts';
export { fileName, readPassphrase } from './names.ts';
export { restoreBackup } from './restore.service.ts';
export { verifyBackup } from './verify.service.ts';
