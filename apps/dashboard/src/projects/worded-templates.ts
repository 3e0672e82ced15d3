import type { Template } from '@bottega/contract';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../words/words.tsx';
import { builtInWords } from './built-in.words.ts';
import { templatesQuery } from './templates-query.ts';

type Words = Partial<Record<string, string>>;

/** Translates the texts of a built-in template, by its id. Templates of users keep the texts of their owners. */
export const inWords = (template: Template, words: Words): Template => ({
  ...template,
  name: words[template.id] ?? template.name,
  description: words[`${template.id} hint`] ?? template.description,
});

/** All templates that the user can choose, in the user's language. */
export function useTemplates() {
  const words: Words = useWords(builtInWords);
  const templates = useQuery(templatesQuery);
  return { ...templates, data: templates.data?.data.map((template) => inWords(template, words)) };
}
