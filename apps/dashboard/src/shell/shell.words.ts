import { dictionary } from '../words/words.tsx';

export const shellWords = dictionary({
  skip: ['Skip to content', 'Zum Inhalt springen'],
  menu: ['Menu', 'Menü'],
  main: ['Main menu', 'Hauptmenü'],
  newProject: ['New project', 'Neues Projekt'],
  explore: ['Explore', 'Entdecken'],
  invitations: ['Invitations', 'Einladungen'],
  administration: ['Administration', 'Verwaltung'],
  guide: ['Guide', 'Handbuch'],
  documentation: ['API documentation', 'API-Dokumentation'],
  account: [(name: string) => `Account of ${name}`, (name) => `Konto von ${name}`],
  signOut: ['Sign out', 'Abmelden'],
  search: ['Search or jump to…', 'Suchen oder wechseln zu…'],
  nothingFound: ['Nothing found', 'Nichts gefunden'],
  goTo: ['Go to', 'Gehe zu'],
  yourProjects: ['Your projects', 'Deine Projekte'],
  do: ['Actions', 'Aktionen'],
  toggleTheme: ['Switch between light and dark', 'Zwischen Hell und Dunkel wechseln'],
  offline: [
    'The service cannot be reached. What you see may be out of date. It reconnects automatically.',
    'Der Dienst ist nicht erreichbar. Was du siehst, ist möglicherweise veraltet. Die Verbindung wird automatisch wiederhergestellt.',
  ],
});
