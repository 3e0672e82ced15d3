import { dictionary } from '../words/dictionary.ts';

export const checksWords = dictionary('checks/checks', {
  checks: ['Checks', 'Checks'],
  checksOf: [(count: number) => `Checks (${count})`, (count) => `Checks (${count})`],
  none: ['No checks', 'Keine Checks'],
  noneHint: [
    'Define commands as checks in bottega.json, and they run for every merge request.',
    'Lege in bottega.json Befehle als Checks fest, dann laufen sie für jeden Merge-Request.',
  ],
  allPending: ['Checks are not complete yet', 'Checks sind noch nicht fertig'],
  allSuccess: ['All checks succeeded', 'Alle Checks waren erfolgreich'],
  allFailure: ['Some checks did not succeed', 'Nicht alle Checks waren erfolgreich'],
  allNone: ['No checks', 'Keine Checks'],
  waits: ['The checks of this version have not been started', 'Die Checks dieser Version wurden noch nicht gestartet'],
  waitsHint: [
    'They run the code of somebody who cannot edit the project. Look at the changes first. The checks have no access to secrets.',
    'Sie führen den Code von jemandem aus, der das Projekt nicht bearbeiten darf. Sieh dir zuerst die Änderungen an. Die Checks haben keinen Zugriff auf Secrets.',
  ],
  start: ['Start the checks', 'Checks starten'],
  merged: [
    (target: string) => `These checks run on the newest version, merged into ${target}:`,
    (target) => `Diese Checks prüfen die neueste Version, zusammengeführt mit ${target}:`,
  ],

  queued: ['Queued', 'In der Warteschlange'],
  in_progress: ['Running', 'Läuft'],
  success: ['Succeeded', 'Erfolgreich'],
  failure: ['Failed', 'Fehlgeschlagen'],
  neutral: ['Neutral', 'Neutral'],
  cancelled: ['Canceled', 'Abgebrochen'],
  skipped: ['Skipped', 'Übersprungen'],
  timed_out: ['Took too long', 'Zu lange gedauert'],
  action_required: ['Action required', 'Aktion nötig'],
  missing: ['Not reported yet', 'Noch nicht gemeldet'],
  unaffected: ['Not affected by these changes', 'Von diesen Änderungen nicht betroffen'],

  required: ['Required', 'Erforderlich'],
  changed: ['Definition changed', 'Definition geändert'],
  changedHint: [
    'This merge request changes how the check is defined.',
    'Dieser Merge-Request ändert, wie der Check definiert ist.',
  ],
  attempt: [(attempt: number) => `attempt ${attempt}`, (attempt) => `Versuch ${attempt}`],
  needs: [(names: string) => `after ${names}`, (names) => `nach ${names}`],
  details: ['Details', 'Einzelheiten'],
  hide: ['Hide', 'Ausblenden'],
  outside: ['Open report', 'Bericht öffnen'],
  rerun: ['Run again', 'Erneut ausführen'],
  rerunDone: [(name: string) => `${name} runs again`, (name) => `${name} läuft erneut`],
  stop: ['Cancel', 'Abbrechen'],
  stopTitle: [(name: string) => `Cancel ${name}?`, (name) => `${name} abbrechen?`],
  stopHint: [
    'Its processes are stopped. You can run it again later.',
    'Die Prozesse werden beendet. Du kannst den Check später erneut ausführen.',
  ],
  keep: ['Keep it running', 'Weiterlaufen lassen'],
  logForMembers: ['Only members see the log.', 'Nur Mitglieder sehen das Log.'],

  annotations: [
    (count: number) => (count === 1 ? '1 remark about a line' : `${count} remarks about lines`),
    (count) => (count === 1 ? '1 Hinweis zu einer Zeile' : `${count} Hinweise zu Zeilen`),
  ],
  byCheck: [(level: string, check: string) => `${level} from ${check}`, (level, check) => `${level} von ${check}`],
  notice: ['Notice', 'Hinweis'],
  warning: ['Warning', 'Warnung'],
  failureLevel: ['Error', 'Fehler'],
  line: [(path: string, line: number) => `${path}, line ${line}`, (path, line) => `${path}, Zeile ${line}`],
  lines: [
    (path: string, from: number, to: number) => `${path}, lines ${from}–${to}`,
    (path, from, to) => `${path}, Zeilen ${from}–${to}`,
  ],
  toLog: [(check: string) => `Show the check ${check}`, (check) => `Check ${check} zeigen`],
});
