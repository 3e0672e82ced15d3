import { dictionary } from '../words/dictionary.ts';

export const replaceWords = dictionary('editor/replace', {
  with: ['Replace with', 'Ersetzen durch'],
  replace: [
    (files: number) => `Replace in ${files === 1 ? '1 file' : `${files} files`}…`,
    (files) => `In ${files === 1 ? '1 Datei' : `${files} Dateien`} ersetzen…`,
  ],
  ask: [
    (count: number, files: number) =>
      `Replace ${count === 1 ? '1 match' : `${count} matches`} in ${files === 1 ? '1 file' : `${files} files`}?`,
    (count, files) =>
      `${count === 1 ? '1 Treffer' : `${count} Treffer`} in ${files === 1 ? '1 Datei' : `${files} Dateien`} ersetzen?`,
  ],
  askHint: [
    (sought: string, replacement: string) =>
      replacement === ''
        ? `“${sought}” is removed everywhere, in one commit.`
        : `“${sought}” becomes “${replacement}” everywhere, in one commit.`,
    (sought, replacement) =>
      replacement === ''
        ? `„${sought}“ wird überall entfernt, in einem Commit.`
        : `„${sought}“ wird überall zu „${replacement}“, in einem Commit.`,
  ],
  yes: ['Replace all', 'Alle ersetzen'],
  done: [
    (count: number) => (count === 1 ? 'Replaced 1 match' : `Replaced ${count} matches`),
    (count) => `${count} Treffer ersetzt`,
  ],
  notAll: [
    'There are more matches than the search shows. To replace them, search for a longer text.',
    'Es gibt mehr Treffer, als die Suche zeigt. Suche zum Ersetzen nach einem längeren Text.',
  ],
  unsaved: [
    (path: string) => `Save your changes to ${path} first.`,
    (path) => `Speichere zuerst deine Änderungen an ${path}.`,
  ],
});
