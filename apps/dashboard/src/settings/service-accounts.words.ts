import { dictionary } from '../words/dictionary.ts';

export const serviceAccountsWords = dictionary('settings/serviceAccounts', {
  title: ['Service accounts', 'Dienstkonten'],
  hint: [
    'Your services can act as these accounts instead of you. A service account is limited to selected projects and scopes, and never has more rights than you.',
    'Deine Dienste können mit diesen Konten handeln statt in deinem Namen. Ein Dienstkonto ist auf ausgewählte Projekte und Berechtigungen beschränkt und hat nie mehr Rechte als du.',
  ],
  none: ['No service accounts yet', 'Noch keine Dienstkonten'],
  noneHint: [
    'Create a service account below and use its ID as the sub claim of a token.',
    'Lege unten ein Dienstkonto an und verwende seine ID als Claim sub eines Tokens.',
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
  removeHint: ['Tokens for this account stop working immediately.', 'Token für dieses Konto werden sofort ungültig.'],
  removed: [(name: string) => `Removed ${name}`, (name) => `${name} entfernt`],
});
