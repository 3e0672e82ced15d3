import { dictionary } from '../words/dictionary.ts';

export const languageWords = dictionary('languages/language', {
  problems: ['Problems', 'Probleme'],
  noProblems: ['No problems in open files', 'Keine Probleme in offenen Dateien'],
  noProblemsHint: [
    'Language servers check TypeScript, JavaScript and Python while you type.',
    'Sprachserver prüfen TypeScript, JavaScript und Python, während du tippst.',
  ],
  list: ['Problems in open files', 'Probleme in offenen Dateien'],
  error: ['Error', 'Fehler'],
  warning: ['Warning', 'Warnung'],
  note: ['Note', 'Hinweis'],
  outside: [
    'This is defined in a package, not in a file of the project.',
    'Das ist in einem Paket definiert, nicht in einer Datei des Projekts.',
  ],
  committed: [
    (files: number) =>
      files === 1 ? 'Changed and committed 1 other file' : `Changed and committed ${files} other files`,
    (files) =>
      files === 1
        ? '1 andere Datei geändert und als Commit gespeichert'
        : `${files} andere Dateien geändert und als Commit gespeichert`,
  ],
  at: [(line: number) => `line ${line}`, (line) => `Zeile ${line}`],
});
