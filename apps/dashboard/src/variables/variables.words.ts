import { dictionary } from '../words/dictionary.ts';

export const variablesWords = dictionary('variables/variables', {
  title: ['Variables', 'Variablen'],
  hint: [
    'Every deployment gets the variables of its environment. Changes take effect with the next deployment.',
    'Jedes Deployment erhält die Variablen seiner Umgebung. Änderungen wirken ab dem nächsten Deployment.',
  ],
  none: ['No variables yet', 'Noch keine Variablen'],
  noneHint: [
    'Add the variables that your builds and apps need, such as a database URL.',
    'Füge die Variablen hinzu, die deine Builds und Apps brauchen, zum Beispiel die URL einer Datenbank.',
  ],
  add: ['Add variables', 'Variablen hinzufügen'],
  edit: ['Edit', 'Bearbeiten'],
  editTitle: [(name: string) => `Edit ${name}`, (name) => `${name} bearbeiten`],
  value: ['Value', 'Wert'],
  newValue: ['New value', 'Neuer Wert'],
  environments: ['Environments', 'Umgebungen'],
  environmentsHint: [
    'Leave empty for every environment without its own value.',
    'Leer lassen für alle Umgebungen ohne eigenen Wert.',
  ],
  all: ['All', 'Alle'],
  allOthers: ['All others', 'Alle übrigen'],
  secretLabel: ['Secret', 'Geheim'],
  secretHint: [
    'The value of a secret is never shown again. Other values are visible to everyone who can edit the project.',
    'Ein geheimer Wert wird nie wieder angezeigt. Andere Werte sehen alle, die das Projekt bearbeiten dürfen.',
  ],
  hidden: ['Hidden', 'Verborgen'],
  changed: ['Changed', 'Geändert'],
  deleteTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  deleteHint: [
    'Running deployments keep the variable. Later deployments do not get it.',
    'Laufende Deployments behalten die Variable. Spätere Deployments erhalten sie nicht mehr.',
  ],
  deleted: [(name: string) => `${name} deleted`, (name) => `${name} gelöscht`],
  variables: ['Environment variables', 'Umgebungsvariablen'],
  variablesHint: [
    'Values are encrypted, masked in the log and never shown again. You can paste lines of NAME=value.',
    'Werte werden verschlüsselt, im Log maskiert und nie wieder angezeigt. Du kannst Zeilen der Form NAME=Wert einfügen.',
  ],
  variableName: [(number: number) => `Name of variable ${number}`, (number) => `Name der Variable ${number}`],
  variableValue: [(number: number) => `Value of variable ${number}`, (number) => `Wert der Variable ${number}`],
  removeVariable: [(number: number) => `Remove variable ${number}`, (number) => `Variable ${number} entfernen`],
  addVariable: ['Add variable', 'Variable hinzufügen'],
  badName: [
    'Use letters, digits and underscores; do not start with a digit',
    'Nur Buchstaben, Ziffern und Unterstriche; nicht mit einer Ziffer beginnen',
  ],
  twice: ['This name is already used', 'Dieser Name ist schon vergeben'],
  // In the dialog for a deployment.
  inherited: ['From the project', 'Aus dem Projekt'],
  kept: ['From the last deployment', 'Vom letzten Deployment'],
  replaced: ['replaced', 'ersetzt'],
  keep: [
    (environment: string) => `Save for later deployments to ${environment}`,
    (environment) => `Für spätere Deployments in ${environment} speichern`,
  ],
  keepHint: [
    'They are saved as secret variables of the project.',
    'Sie werden als geheime Variablen des Projekts gespeichert.',
  ],
});
