/** What the command line takes of backups of single projects. */

export { backUpProject } from './back-up-project.service.ts';
export { restoreProject } from './restore-project.service.ts';
