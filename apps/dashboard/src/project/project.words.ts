import { dictionary } from '../words/dictionary.ts';

export const projectWords = dictionary({
  sections: ['Project sections', 'Bereiche des Projekts'],
  overview: ['Overview', 'Übersicht'],
  files: ['Files', 'Dateien'],
  history: ['History', 'Verlauf'],
  branches: ['Branches', 'Branches'],
  deployments: ['Deployments', 'Deployments'],
  domains: ['Domains', 'Domains'],
  connect: ['Connect', 'Verbinden'],
  live: ['Open live app', 'Live-App öffnen'],
  archived: ['Archived', 'Archiviert'],
  archivedHint: ['This project is archived and read-only.', 'Dieses Projekt ist archiviert und schreibgeschützt.'],
  clone: ['Clone', 'Klonen'],
  cloneHint: [
    'Use any username. The password is an API key with the scope for files.',
    'Verwende einen beliebigen Benutzernamen. Das Passwort ist ein API-Schlüssel mit der Berechtigung für Dateien.',
  ],
  makeKey: ['Create an API key', 'API-Schlüssel anlegen'],
  archive: ['Download ZIP', 'Als ZIP herunterladen'],
  address: ['Git URL', 'Git-URL'],
});
