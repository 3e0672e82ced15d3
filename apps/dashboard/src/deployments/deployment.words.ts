import { dictionary } from '../words/dictionary.ts';

/** Words of the screen of one deployment. */
export const deploymentWords = dictionary('deployments/deployment', {
  back: ['All deployments', 'Alle Deployments'],
  progress: ['Progress', 'Fortschritt'],
  queued: ['Queued', 'In der Warteschlange'],
  details: ['Details', 'Details'],
  id: ['ID', 'ID'],
  trigger: ['Triggered by', 'Ausgelöst durch'],
  manual: ['API or dashboard', 'API oder Dashboard'],
  push: ['push', 'Push'],
  redeployTrigger: ['redeployment', 'erneutes Bereitstellen'],
  author: ['Author', 'Autor'],
  address: ['URL', 'URL'],
  liveAddress: ['Live URL', 'Live-URL'],
  branchAddress: ['Branch URL', 'URL des Branches'],
  retired: ['Retired', 'Stillgelegt'],
  asProject: ['from bottega.json', 'aus bottega.json'],
  noBuild: ['none', 'keiner'],
  detected: ['from bottega.json or detected', 'aus bottega.json oder automatisch erkannt'],
  noVariables: ['none', 'keine'],
  variableNames: ['Environment variables', 'Umgebungsvariablen'],
  cancel: ['Cancel deployment', 'Deployment abbrechen'],
  cancelTitle: ['Cancel this deployment?', 'Dieses Deployment abbrechen?'],
  cancelHint: ['The live deployment does not change.', 'Das Live-Deployment bleibt unverändert.'],
  keep: ['Keep it running', 'Weiterlaufen lassen'],
  canceled: ['Deployment canceled', 'Deployment abgebrochen'],
  redeploy: ['Redeploy', 'Erneut bereitstellen'],
  redeployTitle: ['Redeploy this deployment?', 'Dieses Deployment erneut bereitstellen?'],
  redeployHint: [
    'The new deployment uses the same commit and build command, and the current project variables.',
    'Das neue Deployment verwendet denselben Commit und Build-Befehl sowie die aktuellen Variablen des Projekts.',
  ],
  promote: ['Make it live', 'Live schalten'],
  promoteTitle: ['Make this deployment live?', 'Dieses Deployment live schalten?'],
  rollback: ['Roll back to this', 'Hierauf zurücksetzen'],
  rollbackTitle: ['Roll back to this deployment?', 'Auf dieses Deployment zurücksetzen?'],
  liveHint: [(url: string) => `${url} will serve this deployment.`, (url) => `${url} zeigt dann dieses Deployment.`],
  liveHintFirst: [
    "The project's live URL will serve this deployment.",
    'Die Live-URL des Projekts zeigt dann dieses Deployment.',
  ],
  isLive: ['This deployment is live now', 'Dieses Deployment ist jetzt live'],
  exitCode: [
    (code: number) => `The command exited with code ${code}.`,
    (code) => `Der Befehl endete mit dem Code ${code}.`,
  ],
  build_failed: ['The build failed', 'Der Build ist fehlgeschlagen'],
  timed_out: ['The build took too long', 'Der Build hat zu lange gedauert'],
  out_of_memory: ['The build ran out of memory', 'Dem Build ging der Arbeitsspeicher aus'],
  out_of_disk: ['The build ran out of disk space', 'Dem Build ging der Speicherplatz aus'],
  sandbox_unavailable: ['This service cannot run builds', 'Dieser Dienst kann keine Builds ausführen'],
  nothing_to_serve: ['There is nothing to serve', 'Es gibt nichts bereitzustellen'],
  bad_project_file: ['bottega.json is invalid', 'bottega.json ist ungültig'],
  too_large: ['The output is too large', 'Die Ausgabe ist zu groß'],
  plan_limit: ['A plan limit is reached', 'Eine Grenze des Tarifs ist erreicht'],
  unhealthy: ['The app did not respond', 'Die App hat nicht geantwortet'],
  crashed: ['The app crashed at start', 'Die App ist beim Start abgestürzt'],
  worker_lost: ['The worker that ran the build was lost', 'Der Worker, der den Build ausführte, ist ausgefallen'],
  internal: ['The service had an internal error', 'Im Dienst ist ein interner Fehler aufgetreten'],
  build_failed_hint: [
    'The end of the log shows the reason. Fix the problem and deploy again.',
    'Der Grund steht am Ende des Logs. Behebe den Fehler und stelle das Projekt erneut bereit.',
  ],
  timed_out_hint: [
    'Shorten the build, or ask the operator for a longer time limit.',
    'Verkürze den Build, oder bitte die Betreiber um mehr Zeit.',
  ],
  out_of_memory_hint: [
    'Reduce the memory usage of the build, or ask the operator for more memory.',
    'Lass den Build weniger Speicher verwenden, oder bitte die Betreiber um mehr.',
  ],
  out_of_disk_hint: [
    'Reduce the disk usage of the build, or ask the operator for more disk space.',
    'Verringere den Speicherplatz, den der Build belegt, oder bitte die Betreiber um mehr Speicherplatz.',
  ],
  sandbox_unavailable_hint: [
    'The operator must set up a sandbox. Projects without a build can still be deployed.',
    'Die Betreiber müssen eine Sandbox einrichten. Projekte ohne Build lassen sich trotzdem bereitstellen.',
  ],
  nothing_to_serve_hint: [
    'Set the output directory in the dialog, or as output in bottega.json.',
    'Gib das Ausgabeverzeichnis im Dialog oder als output in bottega.json an.',
  ],
  bad_project_file_hint: [
    'Fix bottega.json and deploy again.',
    'Korrigiere bottega.json und stelle das Projekt erneut bereit.',
  ],
  too_large_hint: [
    'Set an output directory that contains only the files to serve.',
    'Gib ein Ausgabeverzeichnis an, das nur enthält, was bereitgestellt werden soll.',
  ],
  plan_limit_hint: [
    "The limit applies to all of the owner's projects together. Free some space, or ask for a larger plan.",
    'Die Grenze gilt für alle Projekte des Eigentümers zusammen. Schaffe Platz, oder bitte um einen größeren Tarif.',
  ],
  unhealthy_hint: [
    'The app must respond to GET / on the port in PORT with a status below 500.',
    'Die App muss GET / auf dem Port in PORT mit einem Status unter 500 beantworten.',
  ],
  crashed_hint: [
    'The runtime log shows the output of the app before it exited.',
    'Das Laufzeit-Log enthält die Ausgaben der App vor dem Absturz.',
  ],
  worker_lost_hint: [
    'The problem is not in your project. Redeploy it.',
    'Das liegt nicht am Projekt. Stelle es erneut bereit.',
  ],
  internal_hint: [
    'The problem is not in your project. Redeploy it. If the deployment fails again, contact the operator.',
    'Das liegt nicht am Projekt. Stelle es erneut bereit. Schlägt es wieder fehl, melde es den Betreibern.',
  ],
  // The log.
  log: ['Log', 'Log'],
  logOf: ['Which log', 'Welches Log'],
  buildLog: ['Build', 'Build'],
  runtimeLog: ['Runtime', 'Laufzeit'],
  noAppHint: ['This deployment has no running app.', 'Dieses Deployment hat keine laufende App.'],
  appState: [
    (state: 'starting' | 'running' | 'sleeping' | 'failed', restarts: number) => {
      const said = { starting: 'Starting', running: 'Running', sleeping: 'Sleeping', failed: 'Failed' }[state];
      return restarts === 0 ? said : `${said}, ${restarts === 1 ? '1 restart' : `${restarts} restarts`}`;
    },
    (state, restarts) => {
      const said = { starting: 'Startet', running: 'Läuft', sleeping: 'Schläft', failed: 'Fehlgeschlagen' }[state];
      return restarts === 0 ? said : `${said}, ${restarts === 1 ? '1 Neustart' : `${restarts} Neustarts`}`;
    },
  ],
  appFailed: ['The app is not running', 'Die App läuft nicht'],
  appFailedHint: [
    'Fix the cause and deploy again. The runtime log shows the output of the app.',
    'Behebe die Ursache und stelle das Projekt erneut bereit. Das Laufzeit-Log enthält die Ausgaben der App.',
  ],
  showRuntimeLog: ['Show the runtime log', 'Laufzeit-Log anzeigen'],
  restarted: [
    (count: number) => `The app was restarted ${count === 1 ? 'once' : `${count} times`}. Last reason:`,
    (count) => `Die App wurde ${count === 1 ? 'einmal' : `${count}-mal`} neu gestartet. Letzter Grund:`,
  ],
  logEmpty: ['No output yet', 'Noch keine Ausgabe'],
  logEmptyHint: ['Output appears here as it is written.', 'Die Ausgabe erscheint hier, während sie geschrieben wird.'],
  noneOfLevel: ['No lines at this level', 'Keine Zeilen dieser Stufe'],
  connecting: ['Connecting…', 'Verbindung wird aufgebaut…'],
  following: ['Live', 'Live'],
  lost: ['Connection lost. Reconnecting…', 'Verbindung unterbrochen. Sie wird wiederhergestellt…'],
  complete: ['Complete', 'Vollständig'],
  lines: [
    (count: number) => (count === 1 ? '1 line' : `${count} lines`),
    (count) => (count === 1 ? '1 Zeile' : `${count} Zeilen`),
  ],
  search: ['Search the log', 'Log durchsuchen'],
  hits: [
    (at: number, count: number) => (count === 0 ? 'No matches' : `${at} of ${count}`),
    (at, count) => (count === 0 ? 'Keine Treffer' : `${at} von ${count}`),
  ],
  nextHit: ['Next match', 'Nächster Treffer'],
  previousHit: ['Previous match', 'Vorheriger Treffer'],
  level: ['Level', 'Stufe'],
  all: ['All', 'Alle'],
  warn: ['Warnings', 'Warnungen'],
  error: ['Errors', 'Fehler'],
  copy: ['Copy log', 'Log kopieren'],
  download: ['Download log', 'Log herunterladen'],
  readOn: ['Read new lines', 'Neue Zeilen lesen'],
  toEnd: ['Go to the newest line', 'Zur neuesten Zeile'],
  toLine: [(number: number) => `Link to line ${number}`, (number) => `Link auf Zeile ${number}`],
  cut: [
    (count: number) => `Only the last ${count} lines are shown. Download the log to see all of it.`,
    (count) => `Nur die letzten ${count} Zeilen werden angezeigt. Lade das Log herunter, um alles zu sehen.`,
  ],
});
