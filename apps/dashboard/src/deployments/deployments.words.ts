import { dictionary } from '../words/dictionary.ts';

function minutesAndSeconds(count: number): string {
  if (count < 60) return count < 1 ? '< 1 s' : `${count} s`;
  return `${Math.floor(count / 60)} min ${String(count % 60).padStart(2, '0')} s`;
}

export const deploymentsWords = dictionary('deployments/deployments', {
  title: ['Deployments', 'Deployments'],
  deploy: ['Deploy', 'Bereitstellen'],
  none: ['No deployments yet', 'Noch keine Deployments'],
  noneHint: [
    'A deployment builds a branch and serves the result at its own URL.',
    'Ein Deployment baut einen Branch und stellt das Ergebnis unter einer eigenen URL bereit.',
  ],
  noneHintReader: ['Deployments of this project will appear here.', 'Hier erscheinen die Deployments dieses Projekts.'],
  environment: ['Environment', 'Umgebung'],
  environments: ['Environments', 'Umgebungen'],
  allEnvironments: ['All environments', 'Alle Umgebungen'],
  pending: ['Queued', 'In der Warteschlange'],
  building: ['Building', 'Wird gebaut'],
  success: ['Ready', 'Bereit'],
  failed: ['Failed', 'Fehlgeschlagen'],
  canceled: ['Canceled', 'Abgebrochen'],
  notRunning: ['Not running', 'Läuft nicht'],
  production: ['Production', 'Produktion'],
  preview: ['Preview', 'Vorschau'],
  development: ['Development', 'Entwicklung'],
  live: ['Live', 'Live'],
  commit: ['Commit', 'Commit'],
  took: ['Duration', 'Dauer'],
  when: ['Created', 'Erstellt'],
  untitled: ['Untitled commit', 'Commit ohne Titel'],
  openBranch: [
    (environment: string, branch: string) => `${environment}: open the latest deployment of ${branch}`,
    (environment, branch) => `${environment}: neuesten Stand von ${branch} öffnen`,
  ],
  openThis: [
    (environment: string, commit: string) => `${environment}: open “${commit}”`,
    (environment, commit) => `${environment}: „${commit}“ öffnen`,
  ],
  openApp: ['Open app', 'App öffnen'],
  seconds: [minutesAndSeconds, minutesAndSeconds],
  queuedAs: [
    (position: number) => (position === 1 ? 'Next in the queue.' : `Position ${position} in the queue.`),
    (position) => (position === 1 ? 'Als Nächstes an der Reihe.' : `Position ${position} in der Warteschlange.`),
  ],
  // The dialog.
  deployTitle: [(name: string) => `Deploy ${name}`, (name) => `${name} bereitstellen`],
  build: ['Build', 'Build'],
  buildOfProject: ['Use bottega.json', 'Aus bottega.json'],
  buildOwn: ['Use this command', 'Mit diesem Befehl'],
  buildNone: ['No build; serve the files unchanged', 'Kein Build: Dateien unverändert bereitstellen'],
  command: ['Command', 'Befehl'],
  commandHint: [
    'Runs with sh in the root directory of the project.',
    'Wird mit sh im Stammverzeichnis des Projekts ausgeführt.',
  ],
  output: ['Output directory', 'Ausgabeverzeichnis'],
  outputHint: [
    'For example dist. If empty, the service uses bottega.json or looks for an index.html file.',
    'Zum Beispiel dist. Wenn das Feld leer ist, gilt bottega.json, oder der Dienst sucht nach einer Datei index.html.',
  ],
  productionHint: ['Goes live automatically when it succeeds.', 'Geht automatisch live, sobald es erfolgreich ist.'],
  previewHint: [
    'Gets its own URL. The live deployment does not change.',
    'Erhält eine eigene URL. Das Live-Deployment bleibt unverändert.',
  ],
});
