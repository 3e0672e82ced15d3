import { dictionary } from '../words/dictionary.ts';

export const activityWords = dictionary('overview/activity', {
  title: ['Activity', 'Aktivität'],
  somebody: ['Somebody', 'Jemand'],
  'file.created': [
    (who: string, what: string, count: number) => `${who} added ${count > 1 ? `${count} files` : what}`,
    (who, what, count) => `${who} hat ${count > 1 ? `${count} Dateien` : what} hinzugefügt`,
  ],
  'file.updated': [
    (who: string, what: string, count: number) => `${who} changed ${count > 1 ? `${count} files` : what}`,
    (who, what, count) => `${who} hat ${count > 1 ? `${count} Dateien` : what} geändert`,
  ],
  'file.deleted': [
    (who: string, what: string, count: number) => `${who} deleted ${count > 1 ? `${count} files` : what}`,
    (who, what, count) => `${who} hat ${count > 1 ? `${count} Dateien` : what} gelöscht`,
  ],
  'deployment.completed': [
    (who: string, what: string) => `${who} deployed to ${what}`,
    (who, what) => `${who} hat das Projekt in ${what} bereitgestellt`,
  ],
  'deployment.failed': [
    (_who: string, what: string) => `A deployment to ${what} failed`,
    (_who, what) => `Ein Deployment in ${what} ist fehlgeschlagen`,
  ],
  'collaboration.joined': [(who: string) => `${who} joined the project`, (who) => `${who} ist dem Projekt beigetreten`],
  'collaboration.left': [(who: string) => `${who} left the project`, (who) => `${who} hat das Projekt verlassen`],
  'variable.updated': [
    (who: string, what: string) => `${who} changed the variable ${what}`,
    (who, what) => `${who} hat die Variable ${what} geändert`,
  ],
  'comment.created': [
    (who: string, what: string) => `${who} commented on ${what}`,
    (who, what) => `${who} hat ${what} kommentiert`,
  ],
  'merge_request.opened': [
    (who: string, what: string) => `${who} opened the merge request ${what}`,
    (who, what) => `${who} hat den Merge-Request ${what} geöffnet`,
  ],
  'merge_request.merged': [
    (_who: string, what: string) => `The merge request ${what} was merged`,
    (_who, what) => `Der Merge-Request ${what} wurde zusammengeführt`,
  ],
  'review.submitted': [
    (who: string, what: string) => `${who} reviewed the merge request ${what}`,
    (who, what) => `${who} hat den Merge-Request ${what} geprüft`,
  ],
  'domain.verified': [
    (_who: string, what: string) => `The domain ${what} was verified`,
    (_who, what) => `Die Domain ${what} wurde bestätigt`,
  ],
  'domain.failed': [
    (_who: string, what: string) => `Verification of the domain ${what} failed`,
    (_who, what) => `Die Bestätigung der Domain ${what} ist fehlgeschlagen`,
  ],
});
