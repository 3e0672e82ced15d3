/** The format of a backup file: sealed frames, the records in them, and the manifest. */

export { BackupError } from './backup-error.ts';
export { type Place, readBackupFile, writeBackupFile } from './backup-file.ts';
export { dumpTable, type Progress, type Told } from './dump-table.ts';
export { type BackupEnd, isOfProject, type Manifest, type ProjectManifest, type TableStart } from './manifest.ts';
export { readBackup } from './read-backup.ts';
export type { BackupRecord } from './records.ts';
