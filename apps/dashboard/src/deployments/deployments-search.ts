import type { DeploymentEnvironment, DeploymentStatus } from '@bottega/contract';
import { oneOf, pageIn } from '../kit/address.ts';

export const environments = ['production', 'preview', 'development'] as const satisfies DeploymentEnvironment[];
const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const satisfies DeploymentStatus[];

/** What the address of the list says; `deploy` opens the dialog. */
export type DeploymentsSearch = {
  environment?: DeploymentEnvironment | undefined;
  status?: DeploymentStatus | undefined;
  page?: number | undefined;
  deploy?: true | undefined;
};

export function deploymentsSearch({ environment, status, page, deploy }: Record<string, unknown>): DeploymentsSearch {
  return {
    environment: oneOf(environments, environment),
    status: oneOf(statuses, status),
    page: pageIn(page),
    deploy: deploy === true ? true : undefined,
  };
}

/** The line of the log that a link points at. */
export const logSearch = ({ line }: Record<string, unknown>): { line?: number | undefined } => ({
  line: Number.isInteger(line) && Number(line) > 0 ? Number(line) : undefined,
});
