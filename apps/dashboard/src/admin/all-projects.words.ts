import { dictionary } from '../words/dictionary.ts';

export const allProjectsWords = dictionary('admin/allProjects', {
  search: ['Search by name or owner’s e-mail', 'Nach Name oder E-Mail des Eigentümers suchen'],
  any: ['All states', 'Alle Zustände'],
  active: ['Active', 'Aktiv'],
  archived: ['Archived', 'Archiviert'],
  deleted: ['In the trash', 'Im Papierkorb'],
  newest: ['Newest first', 'Neueste zuerst'],
  largest: ['Largest first', 'Größte zuerst'],
  owner: ['Owner', 'Eigentümer'],
  storage: ['Storage', 'Speicher'],
  activity: ['Last activity', 'Letzte Aktivität'],
  goes: ['Deleted permanently', 'Endgültig entfernt'],
  none: ['No projects', 'Keine Projekte'],
  noneHint: ['Nobody has created a project yet.', 'Noch hat niemand ein Projekt angelegt.'],
  count: [
    (total: number) => (total === 1 ? '1 project' : `${total} projects`),
    (total) => (total === 1 ? '1 Projekt' : `${total} Projekte`),
  ],
  restore: ['Restore', 'Wiederherstellen'],
  restored: [(name: string) => `Restored ${name}`, (name) => `${name} wiederhergestellt`],
});
