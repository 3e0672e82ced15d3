/** The file of a backup: sealed frames, records in them, and what they say of themselves. */

export { BackupError } from './backup-error.ts';
export { type Place, readBackupFile, writeBackupFile } from './backup-file.ts';
export { dumpTable, type Progress, type Told } from './dump-table.ts';
export { type BackupEnd, isOfProject, type Manifest, type ProjectManifest, type TableStart } from './manifest.ts';
export { readBackup } from './read-backup.ts';
export type { BackupRecord } from './records.ts';
