import { dictionary } from '../words/dictionary.ts';

export const shellWords = dictionary('shell/shell', {
  skip: ['Skip to content', 'Zum Inhalt springen'],
  menu: ['Menu', 'Menü'],
  main: ['Main menu', 'Hauptmenü'],
  narrow: ['Collapse menu', 'Menü einklappen'],
  widen: ['Expand menu', 'Menü ausklappen'],
  newProject: ['New project', 'Neues Projekt'],
  explore: ['Explore', 'Entdecken'],
  reviews: ['Reviews', 'Reviews'],
  invitations: ['Invitations', 'Einladungen'],
  administration: ['Administration', 'Verwaltung'],
  guide: ['Guide', 'Handbuch'],
  documentation: ['API documentation', 'API-Dokumentation'],
  account: [(name: string) => `Account of ${name}`, (name) => `Konto von ${name}`],
  signOut: ['Sign out', 'Abmelden'],
  search: ['Search or jump to…', 'Suchen oder wechseln zu…'],
  shortcuts: ['Keyboard shortcuts', 'Tastenkürzel'],
  offline: [
    'The service cannot be reached. What you see may be out of date. The connection is restored automatically.',
    'Der Dienst ist nicht erreichbar. Was du siehst, ist möglicherweise veraltet. Die Verbindung wird automatisch wiederhergestellt.',
  ],
});
