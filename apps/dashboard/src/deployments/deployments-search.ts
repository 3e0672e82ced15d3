import type { DeploymentEnvironment, DeploymentStatus } from '@bottega/contract';
import { integerIn, oneOf, pageIn, searchOf, trueIn } from '../kit/address.ts';

export const environments = ['production', 'preview', 'development'] as const satisfies DeploymentEnvironment[];
const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const satisfies DeploymentStatus[];

/** What the address of the list says; `deploy` opens the dialog. */
export const deploymentsSearch = searchOf({
  environment: oneOf(...environments),
  status: oneOf(...statuses),
  page: pageIn,
  deploy: trueIn,
});
export type DeploymentsSearch = ReturnType<typeof deploymentsSearch>;

/** The line of the log that a link points at; they are counted from one. */
const lineIn = (value: unknown): number | undefined => {
  const line = integerIn(value);
  return line && line > 0 ? line : undefined;
};
export const logSearch = searchOf({ line: lineIn });
