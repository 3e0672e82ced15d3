import { dictionary } from '../words/words.tsx';

export const welcomeWords = dictionary({
  en: {
    title: (name: string) => `Welcome, ${name}`,
    hint: 'A project holds files under git: edit them here, or with the tools that you have.',
    template: 'From a template',
    templateHint: 'Something that runs already, to change as you like.',
    blank: 'Start empty',
    blankHint: 'A new project, and its first file a moment later.',
    import: 'Bring a repository',
    importHint: 'From any public address that git can clone.',
    join: 'Join others',
    joinHint: 'Look for projects to which you are invited.',
    scripts: 'For scripts and git:',
    key: 'make an API key',
    documentation: 'read the API documentation',
  },
  de: {
    title: (name) => `Willkommen, ${name}`,
    hint: 'Ein Projekt enthält Dateien unter git: Bearbeite sie hier oder mit deinen eigenen Werkzeugen.',
    template: 'Aus einer Vorlage',
    templateHint: 'Etwas, das schon läuft, zum Ändern nach Belieben.',
    blank: 'Leer beginnen',
    blankHint: 'Ein neues Projekt, und einen Augenblick später seine erste Datei.',
    import: 'Repository mitbringen',
    importHint: 'Von jeder öffentlichen Adresse, die git klonen kann.',
    join: 'Zu anderen stoßen',
    joinHint: 'Nachsehen, zu welchen Projekten du eingeladen bist.',
    scripts: 'Für Skripte und git:',
    key: 'einen API-Schlüssel anlegen',
    documentation: 'die API-Dokumentation lesen',
  },
});
