import { reasonSentence } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import {
  type Addresses,
  appendFailed,
  findDeployment,
  insertDeployment,
  lastSettings,
  supersedePushed,
} from '../state/index.ts';
import { identified, sourceOf } from './deployments.service.ts';
import { givenVariables, keptVariables } from './given-variables.ts';

type Pushed = {
  project: { id: string; auto_deploy: boolean; auto_preview: boolean | null; version_control: boolean };
  /** Full names, such as refs/heads/main, without deleted references. */
  refs: readonly string[];
  cause: Cause;
};

/** Maximum number of previews that one push starts, because a push may move thousands of branches. */
const maxPreviews = 10;

/**
 * Deploys pushed branches if the project's settings say so: the default branch to production, and any other branch as a
 * preview. The settings come from the last deployment to the same environment. Older pushes that are still waiting are
 * canceled.
 */
export async function deployPushed(
  trx: Trx,
  { project, refs, cause }: Pushed,
  { addresses, box }: { addresses: Addresses; box: SecretBox },
): Promise<void> {
  let previews = 0;
  for (const ref of refs) {
    const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
    const isWanted = branch === 'main' ? project.auto_deploy : (project.auto_preview ?? project.auto_deploy);
    if (branch === undefined || !isWanted) continue;
    if (branch !== 'main' && ++previews > maxPreviews) continue;
    const environment = branch === 'main' ? 'production' : 'preview';
    const error = { type: 'canceled', message: reasonSentence('deployment_replaced'), exit_code: null } as const;
    const superseded = await supersedePushed(trx, { projectId: project.id, environment, branch }, error);
    for (const id of superseded) {
      const row = await findDeployment(trx, project.id, id);
      if (row) await appendFailed(trx, row, { addresses, source: null });
    }
    const place = { projectId: project.id, environment };
    const settings = await lastSettings(trx, project.id, environment);
    const source = await sourceOf(trx, project, branch).catch(() => null);
    // A branch without files has nothing to deploy, but the push must still succeed.
    if (!source) continue;
    await insertDeployment(trx, {
      ...identified(project.id, cause),
      ...source,
      ...(await givenVariables(trx, box, place, await keptVariables(trx, box, place, settings))),
      environment,
      trigger: 'push',
      build_command: settings?.build_command ?? null,
      output_directory: settings?.output_directory ?? null,
    });
  }
}
