import { dictionary } from '../words/dictionary.ts';

export const usageWords = dictionary('kit/usage', {
  history: ['Usage by day', 'Nutzung pro Tag'],
  hint: [
    'Days begin at midnight UTC. Projects and storage are counted every hour.',
    'Die Tage beginnen um Mitternacht UTC. Projekte und Speicher werden stündlich gezählt.',
  ],
  period: ['Period', 'Zeitraum'],
  lastDays: [(days: number) => `${days} days`, (days) => `${days} Tage`],
  buildTime: ['Build time', 'Build-Zeit'],
  workspaceTime: ['Workspace time', 'Workspace-Zeit'],
  deployments: ['Deployments', 'Deployments'],
  storage: ['Storage', 'Speicher'],
  accounts: ['Accounts', 'Konten'],
  inAll: [(value: string) => `${value} in total`, (value) => `${value} insgesamt`],
  now: [(value: string) => `${value} now`, (value) => `jetzt ${value}`],
  max: [(value: string) => `maximum: ${value}`, (value) => `höchstens: ${value}`],
  notCounted: ['not counted', 'nicht gezählt'],
  asTable: ['Show as a table', 'Als Tabelle zeigen'],
  date: ['Date (UTC)', 'Datum (UTC)'],
});
