import { dictionary } from '../words/dictionary.ts';

export const threadWords = dictionary('merge-requests/thread', {
  write: ['Write', 'Schreiben'],
  preview: ['Preview', 'Vorschau'],
  nothingToPreview: ['Nothing to preview', 'Keine Vorschau vorhanden'],

  thread: ['Thread', 'Diskussion'],
  threadOn: [(where: string) => `Thread on ${where}`, (where) => `Diskussion zu ${where}`],
  line: [(path: string, line: number) => `${path}, line ${line}`, (path, line) => `${path}, Zeile ${line}`],
  lines: [
    (path: string, from: number, to: number) => `${path}, lines ${from}–${to}`,
    (path, from, to) => `${path}, Zeilen ${from}–${to}`,
  ],
  before: [(where: string) => `${where} (before)`, (where) => `${where} (vorher)`],
  outdated: ['Outdated', 'Veraltet'],
  outdatedThreads: [
    (count: number) =>
      count === 1
        ? '1 thread on lines that have changed since then'
        : `${count} threads on lines that have changed since then`,
    (count) =>
      count === 1
        ? '1 Diskussion zu Zeilen, die sich seitdem geändert haben'
        : `${count} Diskussionen zu Zeilen, die sich seitdem geändert haben`,
  ],
  originalLines: [(version: number) => `Lines as of version ${version}`, (version) => `Zeilen in Version ${version}`],
  resolved: ['Resolved', 'Erledigt'],
  resolvedBy: [(name: string) => `Resolved by ${name}`, (name) => `Erledigt von ${name}`],
  resolve: ['Resolve', 'Erledigen'],
  reopen: ['Reopen', 'Wieder öffnen'],
  show: ['Show', 'Anzeigen'],
  hide: ['Hide', 'Ausblenden'],
  reply: ['Reply', 'Antworten'],
  replyText: ['Your reply', 'Deine Antwort'],
  draft: ['Draft', 'Entwurf'],
  draftHint: ['Only you see it until you finish your review.', 'Nur du siehst ihn, bis du dein Review abschließt.'],
  edited: ['edited', 'bearbeitet'],
  edit: ['Edit', 'Bearbeiten'],
  actions: [(name: string) => `Actions for the comment by ${name}`, (name) => `Aktionen für den Kommentar von ${name}`],
  deleteTitle: ['Delete this comment?', 'Diesen Kommentar löschen?'],
  deletedAccount: ['Deleted account', 'Gelöschtes Konto'],
  toEditor: ['Open in the editor', 'Im Editor öffnen'],
  toCode: ['Show in the changes', 'In den Änderungen zeigen'],

  commentOn: [(line: number) => `Comment on line ${line}`, (line) => `Zeile ${line} kommentieren`],
  commentOnOld: [(line: number) => `Comment on old line ${line}`, (line) => `Alte Zeile ${line} kommentieren`],
  commentFile: ['Comment on file', 'Datei kommentieren'],
  newOn: [(line: number) => `Comment on line ${line}`, (line) => `Kommentar zu Zeile ${line}`],
  newOnLines: [
    (from: number, to: number) => `Comment on lines ${from}–${to}`,
    (from, to) => `Kommentar zu den Zeilen ${from}–${to}`,
  ],
  newOnFile: ['Comment on the file', 'Kommentar zur Datei'],
  content: ['Your comment', 'Dein Kommentar'],
  comment: ['Comment', 'Kommentieren'],
  startReview: ['Start review', 'Review beginnen'],
  addToReview: ['Add to review', 'Zum Review hinzufügen'],
  suggest: ['Suggest a change', 'Änderung vorschlagen'],

  suggestion: ['Suggested change', 'Vorgeschlagene Änderung'],
  apply: ['Apply', 'Übernehmen'],
  collect: ['Add to batch', 'Sammeln'],
  uncollect: ['Remove from batch', 'Nicht mehr sammeln'],
  applied: [(sha: string) => `Applied in ${sha}`, (sha) => `Übernommen in ${sha}`],
  appliedNow: [
    (count: number) => (count === 1 ? '1 suggestion applied' : `${count} suggestions applied`),
    (count) => (count === 1 ? '1 Vorschlag übernommen' : `${count} Vorschläge übernommen`),
  ],
  applyAll: [
    (count: number) => (count === 1 ? 'Apply 1 suggestion' : `Apply ${count} suggestions`),
    (count) => (count === 1 ? '1 Vorschlag übernehmen' : `${count} Vorschläge übernehmen`),
  ],
});
