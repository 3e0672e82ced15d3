import { dictionary } from '../words/words.tsx';

export const everybodyWords = dictionary({
  en: {
    action: 'Action',
    anything: 'All actions',
    account: 'Account ID',
    none: 'No entries',
    noneHint: 'Nothing has been logged yet.',
    count: (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`),
  },
  de: {
    action: 'Aktion',
    anything: 'Alle Aktionen',
    account: 'Konto-ID',
    none: 'Keine Einträge',
    noneHint: 'Es wurde noch nichts protokolliert.',
    count: (count) => (count === 1 ? '1 Eintrag' : `${count.toLocaleString('de')} Einträge`),
  },
});
