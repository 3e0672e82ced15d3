import type { Language } from '../../src/words/dictionary.ts';

export type Combination = {
  hand: 'mouse' | 'keyboard';
  width: 1440 | 390;
  theme: 'light' | 'dark';
  language: Language;
};

/** Five of the sixteen: any two values of different columns meet in one of them. */
export const combinations: Combination[] = [
  { hand: 'mouse', width: 1440, theme: 'light', language: 'en' },
  { hand: 'mouse', width: 390, theme: 'dark', language: 'de' },
  { hand: 'keyboard', width: 1440, theme: 'dark', language: 'de' },
  { hand: 'keyboard', width: 390, theme: 'light', language: 'de' },
  { hand: 'keyboard', width: 390, theme: 'dark', language: 'en' },
];
