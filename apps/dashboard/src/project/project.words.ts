import { dictionary } from '../words/dictionary.ts';

export const projectWords = dictionary('project/project', {
  sections: ['Project sections', 'Bereiche des Projekts'],
  overview: ['Overview', 'Übersicht'],
  code: ['Code', 'Code'],
  files: ['Files', 'Dateien'],
  history: ['History', 'Verlauf'],
  branches: ['Branches', 'Branches'],
  'merge-requests': ['Merge requests', 'Merge-Requests'],
  deployments: ['Deployments', 'Deployments'],
  domains: ['Domains', 'Domains'],
  connect: ['Connect', 'Verbinden'],
  innerSections: ['Parts of this section', 'Teile dieses Bereichs'],
  allDeployments: ['All deployments', 'Alle Deployments'],
  general: ['General', 'Allgemein'],
  forMembers: ['Only for members of this project', 'Nur für Mitglieder dieses Projekts'],
  forMembersHint: [
    'You can read this project because it is public. Only its owner and collaborators can see how it is built and run.',
    'Du kannst dieses Projekt lesen, weil es öffentlich ist. Wie es gebaut und betrieben wird, sehen nur die Mitglieder des Projekts.',
  ],
  live: ['Open live app', 'Live-App öffnen'],
  archived: ['Archived', 'Archiviert'],
  archivedHint: ['This project is archived and read-only.', 'Dieses Projekt ist archiviert und schreibgeschützt.'],
  clone: ['Clone', 'Klonen'],
  cloneHint: [
    'Use any username. The password is an API key with a scope for files.',
    'Verwende einen beliebigen Benutzernamen. Das Passwort ist ein API-Schlüssel mit der Berechtigung für Dateien.',
  ],
  makeKey: ['Create an API key', 'API-Schlüssel anlegen'],
  download: ['Download', 'Herunterladen'],
  archive: ['Download ZIP', 'Als ZIP herunterladen'],
  address: ['Git URL', 'Git-URL'],
});
