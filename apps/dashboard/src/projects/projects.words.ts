import { dictionary } from '../words/dictionary.ts';

export const projectsWords = dictionary('projects/projects', {
  title: ['Projects', 'Projekte'],
  search: ['Search by name or description', 'Nach Name oder Beschreibung suchen'],
  all: ['All statuses', 'Alle Status'],
  active: ['Active', 'Aktiv'],
  archived: ['Archived', 'Archiviert'],
  updated: ['Recently changed', 'Zuletzt geändert'],
  created: ['Newest first', 'Neueste zuerst'],
  byName: ['By name', 'Nach Name'],
  starred: ['Starred', 'Gemerkt'],
  activity: ['Changed', 'Geändert'],
  address: ['Live URL', 'Live-URL'],
  owner: ['Owner', 'Eigentümer'],
  none: ['No projects yet', 'Noch keine Projekte'],
  noneHint: [
    'A project contains files in a git repository. Create an empty project, or import a repository.',
    'Ein Projekt enthält Dateien in einem Git-Repository. Lege ein leeres Projekt an, oder importiere ein Repository.',
  ],
  trash: ['Trash', 'Papierkorb'],
  newProject: ['New project', 'Neues Projekt'],
  count: [
    (total: number) => (total === 1 ? '1 project' : `${total} projects`),
    (total) => (total === 1 ? '1 Projekt' : `${total} Projekte`),
  ],
});
