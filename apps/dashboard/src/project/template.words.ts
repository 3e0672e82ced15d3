import { dictionary } from '../words/dictionary.ts';

export const templateWords = dictionary('project/template', {
  template: ['Template', 'Vorlage'],
  templateHint: [
    'Publishes the current files as a template for new projects. Later changes are not included until you publish a new version.',
    'Veröffentlicht die aktuellen Dateien als Vorlage, mit der du neue Projekte beginnen kannst. Spätere Änderungen sind erst mit einer neuen Version enthalten.',
  ],
  templateName: ['Name of the template', 'Name der Vorlage'],
  templateDescription: ['Description of the template', 'Beschreibung der Vorlage'],
  category: ['Category', 'Kategorie'],
  language: ['Language', 'Sprache'],
  publish: ['Publish as template', 'Als Vorlage veröffentlichen'],
  published: [(name: string) => `Published ${name}`, (name) => `${name} veröffentlicht`],
  own: ['Your templates', 'Deine Vorlagen'],
  numbered: [(version: number) => `version ${version}`, (version) => `Version ${version}`],
  anew: ['New version from this project', 'Neue Version aus diesem Projekt'],
  version: [
    (name: string, version: number) => `Published version ${version} of ${name}`,
    (name, version) => `Version ${version} von ${name} veröffentlicht`,
  ],
  withdraw: ['Withdraw', 'Zurückziehen'],
  withdrawTitle: [(name: string) => `Withdraw ${name}?`, (name) => `${name} zurückziehen?`],
  withdrawHint: [
    'Projects that were created from this template keep their files.',
    'Projekte, die mit dieser Vorlage begonnen wurden, behalten ihre Dateien.',
  ],
  withdrawn: [(name: string) => `Withdrew ${name}`, (name) => `${name} zurückgezogen`],
});
