import { dictionary } from '../words/dictionary.ts';

export const kitWords = dictionary('kit/kit', {
  failed: ['Something went wrong', 'Etwas ist schiefgegangen'],
  requestId: ['Request ID', 'Anfrage-ID'],
  notFound: ['Page not found', 'Seite nicht gefunden'],
  notFoundHint: [
    'The URL is wrong, or you have no access to this page.',
    'Die Adresse ist falsch, oder du hast keinen Zugriff auf diese Seite.',
  ],
  toProjects: ['Go to your projects', 'Zu deinen Projekten'],
  loading: ['Loading', 'Wird geladen'],
  slow: [
    'This is taking longer than expected. Still trying.',
    'Das dauert länger als erwartet. Wir versuchen es weiter.',
  ],
  star: ['Star', 'Merken'],
  copy: ['Copy', 'Kopieren'],
  close: ['Close', 'Schließen'],
  typeName: [(name: string) => `Type ${name} to confirm`, (name) => `Zur Bestätigung ${name} eintippen`],
  confirmPassword: ['Confirm with your password', 'Mit deinem Passwort bestätigen'],
  authenticatorCode: ['Code from your authenticator', 'Code aus deiner Authenticator-App'],
  previous: ['Previous page', 'Vorherige Seite'],
  next: ['Next page', 'Nächste Seite'],
  page: [(page: number, pages: number) => `Page ${page} of ${pages}`, (page, pages) => `Seite ${page} von ${pages}`],
  noMatchHint: ['Nothing matches these filters.', 'Zu diesen Filtern passt nichts.'],
  clear: ['Clear the filters', 'Filter zurücksetzen'],
  remotePictures: ['Pictures from other sites are not loaded.', 'Bilder von anderen Seiten werden nicht geladen.'],
  showPictures: ['Show them', 'Anzeigen'],
  from: ['From (UTC)', 'Von (UTC)'],
  to: ['To (UTC)', 'Bis (UTC)'],
});
