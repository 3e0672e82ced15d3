import { dictionary } from '../words/dictionary.ts';

export const notificationWords = dictionary('notifications/notification', {
  title: ['Notifications', 'Benachrichtigungen'],
  hint: [
    'Invitations, mentions and problems that concern you, newest first.',
    'Einladungen, Erwähnungen und Probleme, die dich betreffen, das Neueste zuerst.',
  ],
  bell: [
    (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
    (unread) => (unread === 0 ? 'Benachrichtigungen' : `Benachrichtigungen, ${unread} ungelesen`),
  ],
  unreadNow: [
    (unread: number) => `${unread} unread ${unread === 1 ? 'notification' : 'notifications'}`,
    (unread) => `${unread} ungelesene ${unread === 1 ? 'Benachrichtigung' : 'Benachrichtigungen'}`,
  ],
  none: ['Nothing new', 'Nichts Neues'],
  noneHint: [
    'Invitations, mentions, failed deployments and live sessions show up here.',
    'Hier erscheinen Einladungen, Erwähnungen, fehlgeschlagene Deployments und Live-Sitzungen.',
  ],
  all: ['All', 'Alle'],
  onlyUnread: ['Unread', 'Ungelesen'],
  which: ['Show', 'Anzeigen'],
  seeAll: ['See all', 'Alle ansehen'],
  readAll: ['Mark all as read', 'Alle als gelesen markieren'],
  markRead: ['Mark as read', 'Als gelesen markieren'],
  preferences: ['E-mail preferences', 'E-Mail-Einstellungen'],
  somebody: ['Somebody', 'Jemand'],
  invitation: [
    (who: string, project: string) => `${who} invited you to ${project}`,
    (who, project) => `${who} hat dich zu ${project} eingeladen`,
  ],
  mention: [
    (who: string, place: string) => `${who} mentioned you in ${place}`,
    (who, place) => `${who} hat dich in ${place} erwähnt`,
  ],
  comment: [
    (who: string, place: string) => `${who} replied in ${place}`,
    (who, place) => `${who} hat in ${place} geantwortet`,
  ],
  deployment_failed: [
    (environment: string) => `Deployment to ${environment} failed`,
    (environment) => `Das Deployment in ${environment} ist fehlgeschlagen`,
  ],
  session_started: [
    (who: string, name: string) => `${who} started the live session “${name}”`,
    (who, name) => `${who} hat die Live-Sitzung „${name}“ gestartet`,
  ],
  webhook_disabled: [
    (name: string) => `Webhook ${name} was disabled`,
    (name) => `Der Webhook ${name} wurde deaktiviert`,
  ],
  domain_failed: [
    (domain: string) => `${domain} is no longer connected`,
    (domain) => `${domain} ist nicht mehr verbunden`,
  ],
  review_requested: [
    (who: string, request: string) => `${who} asks you to review ${request}`,
    (who, request) => `${who} bittet dich, ${request} zu prüfen`,
  ],
  review_submitted: [
    (who: string, request: string) => `${who} reviewed ${request}`,
    (who, request) => `${who} hat ${request} geprüft`,
  ],
  review_approved: [
    (who: string, request: string) => `${who} approved ${request}`,
    (who, request) => `${who} hat ${request} freigegeben`,
  ],
  review_refused: [
    (who: string, request: string) => `${who} requested changes in ${request}`,
    (who, request) => `${who} hat Änderungen an ${request} angefordert`,
  ],
  merge_request_comment: [
    (who: string, request: string) => `${who} commented on ${request}`,
    (who, request) => `${who} hat ${request} kommentiert`,
  ],
  merge_request_mention: [
    (who: string, request: string) => `${who} mentioned you in ${request}`,
    (who, request) => `${who} hat dich in ${request} erwähnt`,
  ],
  left_queue: [
    (request: string) => `${request} left the merge queue`,
    (request) => `${request} ist nicht mehr in der Merge-Warteschlange`,
  ],
});
