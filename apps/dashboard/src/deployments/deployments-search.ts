import type { DeploymentEnvironment, DeploymentStatus } from '@bottega/contract';

export const environments = ['production', 'preview', 'development'] as const satisfies DeploymentEnvironment[];
export const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const satisfies DeploymentStatus[];

/** What the address of the list says; `deploy` opens the dialog. */
export type DeploymentsSearch = {
  environment?: DeploymentEnvironment | undefined;
  status?: DeploymentStatus | undefined;
  page?: number | undefined;
  deploy?: true | undefined;
};

export function deploymentsSearch({ environment, status, page, deploy }: Record<string, unknown>): DeploymentsSearch {
  return {
    environment: environments.find((one) => one === environment),
    status: statuses.find((one) => one === status),
    page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined,
    deploy: deploy === true ? true : undefined,
  };
}

/** The line of the log that a link points at. */
export const logSearch = ({ line }: Record<string, unknown>): { line?: number | undefined } => ({
  line: Number.isInteger(line) && Number(line) > 0 ? Number(line) : undefined,
});
