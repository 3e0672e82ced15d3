import { dictionary } from '../words/dictionary.ts';

/** Names, descriptions and categories of the built-in templates. In English, the same as in `templates/`. */
export const builtInWords = dictionary('projects/builtIn', {
  'documentation-site': ['Documentation site', 'Dokumentation'],
  'documentation-site hint': [
    'Pages in Markdown, made into a site by a small script without packages',
    'Seiten in Markdown, aus denen ein kleines Skript ohne Pakete eine Website macht',
  ],
  empty: ['Empty project', 'Leeres Projekt'],
  'empty hint': ['A README, a licence, and nothing else', 'Ein README, eine Lizenz und sonst nichts'],
  'node-api': ['Node HTTP API', 'HTTP-API mit Node'],
  'node-api hint': [
    'A JSON API on node:http with tests, and no packages at all',
    'Eine JSON-API auf node:http mit Tests, ganz ohne Pakete',
  ],
  'python-script': ['Python script', 'Python-Skript'],
  'python-script hint': [
    'A command-line program on the standard library, with tests',
    'Ein Programm für die Kommandozeile, nur mit der Standardbibliothek, mit Tests',
  ],
  'react-vite': ['React with Vite', 'React mit Vite'],
  'react-vite hint': [
    'A single-page app in React and TypeScript, built by Vite',
    'Eine Single-Page-App in React und TypeScript, gebaut mit Vite',
  ],
  'static-site': ['Static site', 'Statische Website'],
  'static-site hint': [
    'Pages of plain HTML, CSS and JavaScript that need no build',
    'Seiten aus HTML, CSS und JavaScript, die keinen Build brauchen',
  ],
  'typescript-library': ['TypeScript library', 'TypeScript-Bibliothek'],
  'typescript-library hint': [
    'A typed package for npm, with tests on the sources themselves',
    'Ein typisiertes npm-Paket, mit Tests direkt auf den Quellen',
  ],
  'websocket-demo': ['WebSocket demo', 'WebSocket-Demo'],
  'websocket-demo hint': [
    'A chat room over WebSockets: server and page, without packages',
    'Ein Chatraum über WebSockets: Server und Seite, ohne Pakete',
  ],
});

export const categoryWords = dictionary('projects/category', {
  api: ['API', 'API'],
  documentation: ['Documentation', 'Dokumentation'],
  library: ['Library', 'Bibliothek'],
  realtime: ['Real time', 'Echtzeit'],
  script: ['Script', 'Skript'],
  starter: ['Starter', 'Einstieg'],
  web: ['Web', 'Web'],
});
