import { dictionary } from '../words/dictionary.ts';

export const newProjectWords = dictionary('projects/newProject', {
  title: ['New project', 'Neues Projekt'],
  way: ['Start from', 'Ausgangspunkt'],
  blank: ['Empty project', 'Leeres Projekt'],
  template: ['From a template', 'Aus einer Vorlage'],
  import: ['Import a repository', 'Repository importieren'],
  publicHint: [
    "Every signed-in user can see the project's files, history, comments and live deployment. Only members can see logs, variables and previews.",
    'Alle, die angemeldet sind, sehen Dateien, Verlauf, Kommentare und das Live-Deployment. Logs, Variablen und Vorschauen sehen nur die Mitglieder des Projekts.',
  ],
  url: ['Repository URL', 'URL des Repositorys'],
  urlHint: [
    'An http or https URL without username and password.',
    'Eine http- oder https-URL ohne Benutzername und Passwort.',
  ],
  create: ['Create project', 'Projekt anlegen'],
  importing: ['Importing the repository…', 'Das Repository wird importiert…'],
  importingHint: [
    'You can leave this page. The import continues.',
    'Du kannst diese Seite verlassen. Der Import läuft weiter.',
  ],
  imported: ['The repository is imported.', 'Das Repository ist importiert.'],
  open: ['Open project', 'Projekt öffnen'],
  importFailed: ['The import failed', 'Der Import ist fehlgeschlagen'],
  changeAddress: ['Change the URL or branch', 'URL oder Branch ändern'],
  noTemplates: ['No templates', 'Keine Vorlagen'],
  noTemplatesHint: [
    'Start with an empty project, or import a repository.',
    'Beginne mit einem leeren Projekt, oder importiere ein Repository.',
  ],
  category: ['Category', 'Kategorie'],
  allCategories: ['All categories', 'Alle Kategorien'],
  use: ['Use', 'Verwenden'],
  preview: ['Preview', 'Vorschau'],
  another: ['Choose another template', 'Andere Vorlage wählen'],
});
