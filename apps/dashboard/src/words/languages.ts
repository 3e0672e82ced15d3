const known = { en: 'English', de: 'Deutsch' } as const;
/** English with accents and longer words, for development and tests: it shows what is not translated, or has no room. */
const pseudo = { 'en-XA': 'Ëñglîsh (longer)' } as const;

export type Language = keyof typeof known | keyof typeof pseudo;

/**
 * The languages of the dashboard, each with its own name. All but English and German have a file in `translations/texts/`,
 * named by the language.
 */
export const languages: Readonly<Partial<Record<Language, string>>> =
  import.meta.env.MODE === 'production' ? known : { ...known, ...pseudo };

const tags = Object.keys(languages) as Language[];

/** The supported language for a BCP 47 tag, or English if there is none. */
export function languageOf(tag: string | undefined): Language {
  const wanted = (tag ?? '').toLowerCase();
  const [first = ''] = wanted.split('-');
  return (
    tags.find((one) => one.toLowerCase() === wanted) ??
    tags.find((one) => one === first) ??
    tags.find((one) => one.startsWith(`${first}-`)) ??
    'en'
  );
}
