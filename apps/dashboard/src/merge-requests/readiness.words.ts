import { dictionary } from '../words/dictionary.ts';

export const readinessWords = dictionary('merge-requests/readiness', {
  missing: ['Before it can be merged:', 'Vor der Zusammenführung:'],
  approvals: [
    (given: number, required: number) => `Approvals are missing: ${given} of ${required} given.`,
    (given, required) => `Freigaben fehlen: ${given} von ${required} sind erteilt.`,
  ],
  enough: [
    (given: number, required: number) => `It has ${given} of ${required} approvals.`,
    (given, required) => `${given} von ${required} Freigaben sind erteilt.`,
  ],
  owners: [
    (names: string) => `Owners of changed files must approve: ${names}.`,
    (names) => `Zuständige für geänderte Dateien müssen freigeben: ${names}.`,
  ],
  check_missing: [
    (names: string) => `These checks have not reported yet: ${names}.`,
    (names) => `Diese Checks haben noch nichts gemeldet: ${names}.`,
  ],
  check_pending: [
    (names: string) => `These checks are not complete yet: ${names}.`,
    (names) => `Diese Checks sind noch nicht fertig: ${names}.`,
  ],
  check_failed: [
    (names: string) => `These checks must succeed: ${names}.`,
    (names) => `Diese Checks müssen erfolgreich sein: ${names}.`,
  ],
  definition_changed: [
    (names: string) => `It changes required checks (${names}), so an admin must approve it.`,
    (names) => `Er ändert erforderliche Checks (${names}), deshalb muss ein Admin ihn freigeben.`,
  ],

  mergeWhenReady: ['Merge when ready', 'Zusammenführen, sobald möglich'],
  queuedNow: ['The merge request is in the queue now', 'Der Merge-Request steht jetzt in der Warteschlange'],
  leftNow: ['The merge request is no longer in the queue', 'Der Merge-Request steht nicht mehr in der Warteschlange'],
  leave: ['Leave the queue', 'Warteschlange verlassen'],
  queueOf: [(target: string) => `Queue of ${target}`, (target) => `Warteschlange von ${target}`],
  queueHint: [
    'Merge requests are merged in this order. Each one is checked together with those before it, and merged once its checks have succeeded.',
    'Merge-Requests werden in dieser Reihenfolge zusammengeführt. Jeder wird zusammen mit denen vor ihm geprüft und zusammengeführt, sobald seine Checks erfolgreich waren.',
  ],
  back: ['All merge requests', 'Alle Merge-Requests'],
  target: ['Target', 'Ziel'],
  empty: ['The queue is empty', 'Die Warteschlange ist leer'],
  emptyHint: [
    'Choose “Merge when ready” in a merge request, and it is listed here.',
    'Wähle in einem Merge-Request „Zusammenführen, sobald möglich“, dann steht er hier.',
  ],
  place: [
    (position: number) => `It is number ${position} in the queue.`,
    (position) => `Er steht an Stelle ${position} der Warteschlange.`,
  ],
  waiting: ['Requirements not met yet', 'Anforderungen noch nicht erfüllt'],
  testing: ['Its checks are running', 'Seine Checks laufen'],
  queuedBy: [(name: string) => `queued by ${name}`, (name) => `eingereiht von ${name}`],
  deletedAccount: ['a deleted account', 'einem gelöschten Konto'],
});
