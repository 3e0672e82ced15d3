import { dictionary } from '../words/dictionary.ts';

export const serviceAccountsWords = dictionary('settings/serviceAccounts', {
  title: ['Service accounts', 'Dienstkonten'],
  hint: [
    'Your services can act as these accounts instead of you. A service account can access only selected projects and scopes, and never has more rights than you.',
    'Konten, mit denen deine Dienste statt in deinem Namen handeln können: nur mit ausgewählten Projekten und Berechtigungen, und nie mit mehr Rechten als deinen.',
  ],
  none: ['No service accounts yet', 'Noch keine Dienstkonten'],
  noneHint: [
    'Create a service account below and use its ID as the sub claim of a token.',
    'Lege unten eines an und verwende seine ID als sub eines Tokens.',
  ],
  allScopes: ['all scopes', 'alle Berechtigungen'],
  countProjects: [
    (count: number) => (count === 1 ? '1 project' : `${count} projects`),
    (count) => (count === 1 ? '1 Projekt' : `${count} Projekte`),
  ],
  new: ['New service account', 'Neues Dienstkonto'],
  create: ['Create service account', 'Dienstkonto anlegen'],
  created: [(name: string) => `Created ${name}`, (name) => `${name} angelegt`],
  removeTitle: [(name: string) => `Remove ${name}?`, (name) => `${name} entfernen?`],
  removeHint: ['Tokens for it stop working immediately.', 'Token dafür werden sofort ungültig.'],
  removed: [(name: string) => `Removed ${name}`, (name) => `${name} entfernt`],
});
