import { dictionary } from '../words/dictionary.ts';

export const branchRulesWords = dictionary('branch-rules/branchRules', {
  title: ['Branch rules', 'Regeln für Branches'],
  hint: [
    'What a merge request needs before it is merged into a branch. If several rules match, the strictest one applies.',
    'Was ein Merge-Request braucht, bevor er in einen Branch zusammengeführt wird. Passen mehrere Regeln, gilt die strengste.',
  ],
  none: ['No rules', 'Keine Regeln'],
  noneHint: [
    'Everybody who can edit the project can push and merge.',
    'Alle mit Schreibrecht können pushen und zusammenführen.',
  ],
  add: ['Add rule', 'Regel hinzufügen'],
  edit: ['Edit', 'Bearbeiten'],
  editTitle: [(pattern: string) => `Edit the rule for ${pattern}`, (pattern) => `Regel für ${pattern} bearbeiten`],
  deleteTitle: [(pattern: string) => `Delete the rule for ${pattern}?`, (pattern) => `Regel für ${pattern} löschen?`],
  deleteHint: [
    'This rule will no longer protect the branch.',
    'Der Branch ist dann nicht mehr durch diese Regel geschützt.',
  ],
  deleted: [(pattern: string) => `Rule for ${pattern} deleted`, (pattern) => `Regel für ${pattern} gelöscht`],
  pattern: ['Branches', 'Branches'],
  patternHint: [
    'The name of a branch. * stands for any part of a name, as in release/*',
    'Der Name eines Branches. * steht für einen beliebigen Teil, wie in release/*',
  ],
  requirements: ['Requires', 'Verlangt'],
  approvals: ['Approvals', 'Freigaben'],
  approvalsHint: [
    'How many members who can edit the project must approve',
    'Wie viele Personen mit Schreibrecht freigeben müssen',
  ],
  approvalsOf: [
    (count: number) => (count === 1 ? '1 approval' : `${count} approvals`),
    (count) => (count === 1 ? '1 Freigabe' : `${count} Freigaben`),
  ],
  owners: ['Owners must approve', 'Zuständige müssen freigeben'],
  ownersHint: [
    'For each changed file, one of the owners that CODEOWNERS on the target names',
    'Je geänderter Datei eine Person, die CODEOWNERS auf dem Ziel-Branch nennt',
  ],
  checks: ['Required checks', 'Erforderliche Checks'],
  checksHint: [
    'Names of checks that must succeed. Press Enter after each one',
    'Namen der Checks, die erfolgreich sein müssen. Drücke Enter nach jedem Namen',
  ],
  checksOf: [(names: string) => `checks: ${names}`, (names) => `Checks: ${names}`],
  no_direct_push: ['No direct push', 'Kein direkter Push'],
  no_direct_pushHint: [
    'Only merge requests can change the branch: nobody can push to it or edit it',
    'Nur Merge-Requests können den Branch ändern: Niemand kann auf ihn pushen oder ihn bearbeiten',
  ],
  check_minutes: ['Minutes to wait for other systems', 'Minuten, die auf andere Systeme gewartet wird'],
  check_minutesHint: [
    'A required check that another system has not reported by then counts as failed',
    'Ein erforderlicher Check, den ein anderes System bis dahin nicht gemeldet hat, gilt als fehlgeschlagen',
  ],
  nothing: ['nothing', 'nichts'],
});
