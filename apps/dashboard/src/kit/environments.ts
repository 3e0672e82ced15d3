import { oneOf } from './address.ts';

/** Environments with a word in every language; any other name is shown unchanged. */
export const environments = ['production', 'preview', 'development'] as const;

type Words = Record<(typeof environments)[number], string>;

export function environmentName(words: Words, environment: string): string {
  const known = oneOf(...environments)(environment);
  return known ? words[known] : environment;
}
