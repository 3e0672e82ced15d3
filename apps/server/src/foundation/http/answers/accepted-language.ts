export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Returns the supported language that the browser prefers (RFC 9110 12.5.4), or English if it accepts none of them. */
export function acceptedLanguage(header = ''): Language {
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((one) => one.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    return { language: languageOf(tag), weight: Number(weight) };
  });
  const [first] = wanted.filter(({ language, weight }) => language && weight > 0).sort((a, b) => b.weight - a.weight);
  return first?.language ?? 'en';
}

export const languageOf = (tag: string): Language | undefined =>
  languages.find((language) => language === tag.toLowerCase().split('-', 1)[0]);
