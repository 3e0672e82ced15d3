import type { DeploymentStatus } from '@bottega/contract';
import { integerIn, oneOf, pageIn, searchOf, textIn, trueIn } from '../kit/address.ts';

/** Those that have a word in every language; any other name is its own word. */
export const environments = ['production', 'preview', 'development'] as const;
const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const satisfies DeploymentStatus[];

/** What the address of the list says; `deploy` opens the dialog. */
export const deploymentsSearch = searchOf({
  environment: textIn,
  status: oneOf(...statuses),
  page: pageIn,
  deploy: trueIn,
});
export type DeploymentsSearch = ReturnType<typeof deploymentsSearch>;

type Words = Record<(typeof environments)[number], string>;

export function environmentName(words: Words, environment: string): string {
  const known = oneOf(...environments)(environment);
  return known ? words[known] : environment;
}

/** The line of the log that a link points at; they are counted from one. */
const lineIn = (value: unknown): number | undefined => {
  const line = integerIn(value);
  return line && line > 0 ? line : undefined;
};
export const logSearch = searchOf({ line: lineIn, log: oneOf('build', 'runtime') });
