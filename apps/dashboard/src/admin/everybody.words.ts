import { dictionary } from '../words/words.tsx';

export const everybodyWords = dictionary({
  en: {
    action: 'What happened',
    anything: 'Anything',
    account: 'Id of an account',
    none: 'Nothing found',
    noneHint: 'Nothing fits what you are looking for.',
    clear: 'Show everything',
    count: (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`),
  },
  de: {
    action: 'Was geschah',
    anything: 'Alles',
    account: 'Id eines Kontos',
    none: 'Nichts gefunden',
    noneHint: 'Nichts passt zu dem, was du suchst.',
    clear: 'Alles zeigen',
    count: (count) => (count === 1 ? '1 Eintrag' : `${count.toLocaleString('de')} Einträge`),
  },
});
