import { dictionary } from '../words/dictionary.ts';

export const exploreWords = dictionary('explore/explore', {
  title: ['Explore', 'Entdecken'],
  hint: ['Public projects of all users.', 'Öffentliche Projekte aller Benutzer.'],
  search: ['Search by name or description', 'Nach Name oder Beschreibung suchen'],
  updated: ['Recently changed', 'Zuletzt geändert'],
  created: ['Newest first', 'Neueste zuerst'],
  byName: ['Name', 'Name'],
  owner: ['Owner', 'Eigentümer'],
  files: ['Files', 'Dateien'],
  activity: ['Changed', 'Geändert'],
  none: ['No public projects', 'Keine öffentlichen Projekte'],
  noneHint: [
    'When somebody makes a project public in its settings, every signed-in user can find it here.',
    'Wenn jemand ein Projekt in seinen Einstellungen öffentlich macht, finden es hier alle Angemeldeten.',
  ],
  count: [
    (total: number) => (total === 1 ? '1 public project' : `${total} public projects`),
    (total) => (total === 1 ? '1 öffentliches Projekt' : `${total} öffentliche Projekte`),
  ],
});
