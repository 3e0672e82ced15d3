/** The parts of backups that the command line and the service use. */

export { backUp } from './backup.service.ts';
export { BackupError, isOfProject, type Manifest, type Place, type Progress } from './file/index.ts';
export { fileName, placeToWrite, projectFileName, readPassphrase } from './names.ts';
export { restoreBackup } from './restore.service.ts';
export { verifyBackup } from './verify.service.ts';
