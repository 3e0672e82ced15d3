import { dictionary } from '../words/dictionary.ts';

export const everybodyWords = dictionary('admin/everybody', {
  action: ['Action', 'Aktion'],
  anything: ['All actions', 'Alle Aktionen'],
  account: ['Account ID', 'Konto-ID'],
  none: ['No entries', 'Keine Einträge'],
  noneHint: ['Nothing has been logged yet.', 'Es wurde noch nichts protokolliert.'],
  count: [
    (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`),
    (count) => (count === 1 ? '1 Eintrag' : `${count.toLocaleString('de')} Einträge`),
  ],
});
