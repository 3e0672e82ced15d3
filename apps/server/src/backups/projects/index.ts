/** The parts of project backups that the command line uses. */

export { backUpProject } from './back-up-project.service.ts';
export { restoreProject } from './restore-project.service.ts';
