import type { DeploymentStatus } from '@bottega/contract';
import { integerIn, oneOf, pageIn, searchOf, textIn, trueIn } from '../kit/address.ts';

const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const satisfies DeploymentStatus[];

/** The search parameters of the list; `deploy` opens the dialog. */
export const deploymentsSearch = searchOf({
  environment: textIn,
  status: oneOf(...statuses),
  page: pageIn,
  deploy: trueIn,
});
export type DeploymentsSearch = ReturnType<typeof deploymentsSearch>;

/** The line of the log that a link points to. Lines count from 1. */
const lineIn = (value: unknown): number | undefined => {
  const line = integerIn(value);
  return line && line > 0 ? line : undefined;
};
export const logSearch = searchOf({ line: lineIn, log: oneOf('build', 'runtime') });
