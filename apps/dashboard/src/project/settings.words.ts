import { dictionary } from '../words/dictionary.ts';

export const projectSettingsWords = dictionary('project/projectSettings', {
  title: ['Settings', 'Einstellungen'],
  general: ['General', 'Allgemein'],
  behaviour: ['Behaviour', 'Verhalten'],
  publicHint: [
    'Every signed-in user can see files, history, branches, comments, the names of members, and the live deployment. Only members can see logs, variables, previews, other deployments, pending domains and webhooks.',
    'Alle, die angemeldet sind, sehen Dateien, Verlauf, Branches, Kommentare, die Namen der Mitglieder und das Live-Deployment. Logs, Variablen, Vorschauen, andere Deployments, noch nicht bestätigte Domains und Webhooks sehen nur die Mitglieder des Projekts.',
  ],
  collaboration_enabled: ['Live editing', 'Live-Bearbeitung'],
  collaboration_enabledHint: [
    'Several people can edit a file at the same time.',
    'Mehrere Personen können eine Datei gleichzeitig bearbeiten.',
  ],
  auto_save: ['Save automatically in live sessions', 'In Live-Sitzungen automatisch speichern'],
  auto_saveHint: [
    'Live changes are committed when nobody types for a moment.',
    'Änderungen werden als Commit gespeichert, sobald kurz niemand tippt.',
  ],
  version_control: ['Version control', 'Versionsverwaltung'],
  version_controlHint: [
    'Every change is a commit. You can clone and push with git.',
    'Jede Änderung ist ein Commit. Du kannst mit git klonen und pushen.',
  ],
  auto_deploy: ['Deploy on push', 'Bei Push bereitstellen'],
  auto_deployHint: [
    'Every push to main is deployed to production.',
    'Jeder Push auf main wird in Produktion bereitgestellt.',
  ],
  auto_preview: ['Preview branches on push', 'Branches bei Push als Vorschau bereitstellen'],
  auto_previewHint: [
    'Every push to another branch gets a preview deployment.',
    'Jeder Push auf einen anderen Branch wird als Vorschau bereitgestellt.',
  ],
  archive: ['Archive project', 'Projekt archivieren'],
  archiveHint: ['An archived project is read-only.', 'Ein archiviertes Projekt ist schreibgeschützt.'],
  doArchive: ['Archive', 'Archivieren'],
  doActivate: ['Restore from archive', 'Aus dem Archiv holen'],
  delete: ['Delete project', 'Projekt löschen'],
  deleteHint: [
    'The project moves to the trash, where you can restore it for 30 days. After that, all its files are permanently deleted.',
    'Das Projekt kommt in den Papierkorb, aus dem du es 30 Tage lang wiederherstellen kannst. Danach werden alle Dateien endgültig gelöscht.',
  ],
  doDelete: ['Delete this project', 'Dieses Projekt löschen'],
  deleteTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  deleted: [(name: string) => `Deleted ${name}`, (name) => `${name} gelöscht`],
  undo: ['Restore', 'Wiederherstellen'],
  restored: [(name: string) => `Restored ${name}`, (name) => `${name} wiederhergestellt`],
  notYours: [
    'Only admins of the project can change these settings.',
    'Nur Admins des Projekts können diese Einstellungen ändern.',
  ],
  repository: ['Repository', 'Repository'],
  repositoryHint: [
    'The project was imported from this repository.',
    'Das Projekt wurde aus diesem Repository importiert.',
  ],
  address: ['URL', 'URL'],
  sync: ['Import again', 'Erneut importieren'],
});
