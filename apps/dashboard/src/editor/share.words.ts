import { dictionary } from '../words/dictionary.ts';

export const shareWords = dictionary('editor/share', {
  share: ['Share by link', 'Per Link teilen'],
  title: [(name: string) => `Share ${name}`, (name) => `${name} teilen`],
  hint: [
    'Anyone with the link can download the latest version of the file without an account. You cannot revoke the link, but it stops working when you lose access to the project.',
    'Wer den Link hat, kann ohne Konto die neueste Version der Datei herunterladen. Der Link lässt sich nicht widerrufen, funktioniert aber nicht mehr, sobald du den Zugriff auf das Projekt verlierst.',
  ],
  expires: ['Valid for', 'Gültig für'],
  hour: ['1 hour', '1 Stunde'],
  day: ['1 day', '1 Tag'],
  week: ['7 days', '7 Tage'],
  month: ['30 days', '30 Tage'],
  create: ['Create link', 'Link erstellen'],
  link: ['Link to the file', 'Link zur Datei'],
  until: ['Valid until', 'Gültig bis'],
});
