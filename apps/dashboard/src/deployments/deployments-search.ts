import type { DeploymentStatus } from '@bottega/contract';
import { oneOf, pageIn, textIn } from '../kit/address.ts';

/** Those that have a word in every language; any other name is its own word. */
export const environments = ['production', 'preview', 'development'] as const;
const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const satisfies DeploymentStatus[];

/** What the address of the list says; `deploy` opens the dialog. */
export type DeploymentsSearch = {
  environment?: string | undefined;
  status?: DeploymentStatus | undefined;
  page?: number | undefined;
  deploy?: true | undefined;
};

export function deploymentsSearch({ environment, status, page, deploy }: Record<string, unknown>): DeploymentsSearch {
  return {
    environment: textIn(environment),
    status: oneOf(statuses, status),
    page: pageIn(page),
    deploy: deploy === true ? true : undefined,
  };
}

type Words = Record<(typeof environments)[number], string>;

export function environmentName(words: Words, environment: string): string {
  const known = oneOf(environments, environment);
  return known ? words[known] : environment;
}

/** The line of the log that a link points at. */
export const logSearch = ({ line }: Record<string, unknown>): { line?: number | undefined } => ({
  line: Number.isInteger(line) && Number(line) > 0 ? Number(line) : undefined,
});
