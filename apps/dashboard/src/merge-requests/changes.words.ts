import { dictionary } from '../words/dictionary.ts';

export const changesWords = dictionary('merge-requests/changes', {
  changes: ['Changes', 'Änderungen'],
  files: [(count: number) => `Files (${count})`, (count) => `Dateien (${count})`],
  fileList: ['Changed files', 'Geänderte Dateien'],
  findFile: ['Find a file', 'Datei suchen'],
  viewedCount: [
    (viewed: number, all: number) => `${viewed} of ${all} viewed`,
    (viewed, all) => `${viewed} von ${all} angesehen`,
  ],
  viewed: ['Viewed', 'Angesehen'],
  isViewed: [(path: string) => `Viewed: ${path}`, (path) => `Angesehen: ${path}`],
  edit: ['Edit', 'Bearbeiten'],
  editFile: [(path: string) => `Edit: ${path}`, (path) => `Bearbeiten: ${path}`],
  openFile: [(path: string) => `Open: ${path}`, (path) => `Öffnen: ${path}`],
  threads: [
    (count: number) => (count === 1 ? '1 open thread' : `${count} open threads`),
    (count) => (count === 1 ? '1 offene Diskussion' : `${count} offene Diskussionen`),
  ],
  none: ['No changes', 'Keine Änderungen'],
  noneHint: ['These versions have the same files.', 'Diese Versionen haben dieselben Dateien.'],
  truncated: [
    'There are more changed files than can be shown here. Fetch the branch with git to see all of them.',
    'Es gibt mehr geänderte Dateien, als hier angezeigt werden können. Hole den Branch mit git, um alle zu sehen.',
  ],
  compareFrom: ['Changes since', 'Änderungen seit'],
  compareTo: ['Up to', 'Bis'],
  mergeBase: ['the target branch', 'dem Ziel-Branch'],
  version: [(version: number) => `version ${version}`, (version) => `Version ${version}`],
  newest: [(version: number) => `version ${version} (newest)`, (version) => `Version ${version} (neueste)`],
  newVersion: ['There is a newer version.', 'Es gibt eine neuere Version.'],
  showNewest: ['Show it', 'Anzeigen'],

  finish: ['Finish review', 'Review abschließen'],
  finishWith: [(count: number) => `Finish review (${count})`, (count) => `Review abschließen (${count})`],
  summary: ['Summary', 'Zusammenfassung'],
  verdict: ['Result', 'Ergebnis'],
  COMMENT: ['Comment', 'Kommentieren'],
  COMMENTHint: ['Without a decision.', 'Ohne Entscheidung.'],
  APPROVE: ['Approve', 'Freigeben'],
  APPROVEHint: ['The changes can be merged.', 'Die Änderungen können zusammengeführt werden.'],
  REQUEST_CHANGES: ['Request changes', 'Änderungen anfordern'],
  REQUEST_CHANGESHint: ['Something has to change first.', 'Vorher muss sich etwas ändern.'],
  submit: ['Submit review', 'Review absenden'],
  submitted: ['Review submitted', 'Review abgesendet'],
  draftsIncluded: [
    (count: number) => (count === 1 ? '1 draft comment is sent too.' : `${count} draft comments are sent too.`),
    (count) =>
      count === 1 ? '1 Kommentar im Entwurf wird mitgesendet.' : `${count} Kommentare im Entwurf werden mitgesendet.`,
  ],
  sayMore: ['Write a summary or a comment first.', 'Schreibe zuerst eine Zusammenfassung oder einen Kommentar.'],
});
