import { dictionary } from '../words/dictionary.ts';

export const welcomeWords = dictionary('welcome/welcome', {
  title: [(name: string) => `Welcome, ${name}`, (name) => `Willkommen, ${name}`],
  hint: [
    'Put your first project on the web in three steps: choose a template, name the project, and open it.',
    'Bringe dein erstes Projekt in drei Schritten ins Netz: Vorlage wählen, Projekt benennen, Projekt öffnen.',
  ],
  choose: ['Choose a template', 'Wähle eine Vorlage'],
  chooseHint: [
    'Each template works without changes. You can change everything later.',
    'Jede Vorlage läuft sofort. Du kannst später alles ändern.',
  ],
  name: ['Project name', 'Projektname'],
  first: ['My first project', 'Mein erstes Projekt'],
  go: ['Create and deploy', 'Anlegen und bereitstellen'],
  otherwise: ['Other ways to start', 'Andere Möglichkeiten'],
  allTemplates: ['All templates', 'Alle Vorlagen'],
  blank: ['Empty project', 'Leeres Projekt'],
  blankHint: ['Start without files.', 'Beginne ohne Dateien.'],
  import: ['Import a repository', 'Repository importieren'],
  importHint: ['From any public git URL.', 'Von jeder öffentlichen git-URL.'],
  join: ['Join a project', 'Einem Projekt beitreten'],
  joinHint: ['See your invitations.', 'Sieh dir deine Einladungen an.'],
  scripts: ['For scripts and git:', 'Für Skripte und git:'],
  key: ['create an API key', 'einen API-Schlüssel anlegen'],
  documentation: ['read the API documentation', 'die API-Dokumentation lesen'],
  noTemplates: [
    'There are no templates here. Use one of the options below.',
    'Hier gibt es keine Vorlagen. Wähle unten eine andere Möglichkeit.',
  ],
});
