import { oneOf } from './address.ts';

/** Those that have a word in every language; any other name is its own word. */
export const environments = ['production', 'preview', 'development'] as const;

type Words = Record<(typeof environments)[number], string>;

export function environmentName(words: Words, environment: string): string {
  const known = oneOf(...environments)(environment);
  return known ? words[known] : environment;
}
