import { dictionary } from '../words/dictionary.ts';

/** Words of the palette. They are separate from the other words of the shell, which are part of the first load. */
export const paletteWords = dictionary('shell/palette', {
  nothingFound: ['Nothing found', 'Nichts gefunden'],
  results: ['Results', 'Treffer'],
  searching: ['Searching…', 'Suche läuft…'],
  goTo: ['Go to', 'Gehe zu'],
  yourProjects: ['Your projects', 'Deine Projekte'],
  do: ['Actions', 'Aktionen'],
  inProject: ['In this project', 'In diesem Projekt'],
  recentFiles: ['Recent files', 'Zuletzt geöffnete Dateien'],
  commits: ['Commits', 'Commits'],
  run: ['Run: terminals, output, problems and ports', 'Ausführen: Terminals, Ausgaben, Probleme und Ports'],
  deploy: ['Deploy…', 'Bereitstellen…'],
  newBranch: ['New branch…', 'Neuer Branch…'],
  newRequest: ['New merge request', 'Neuer Merge-Request'],
  invite: ['Invite people', 'Personen einladen'],
  openLive: ['Open the live app', 'Live-App öffnen'],
  switchTo: [(language: string) => `Switch to ${language}`, (language) => `Zu ${language} wechseln`],
  toggleTheme: ['Switch between light and dark', 'Zwischen Hell und Dunkel wechseln'],
});
