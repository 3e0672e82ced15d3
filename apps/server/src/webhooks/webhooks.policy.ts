import { forbidden, notFound } from '../http/app-error.ts';
import { permissionsOf } from '../projects/index.ts';

export type WebhookAccess = {
  owner_id: string;
  project_id: string | null;
  project_owner_id: string | null;
  project_public: boolean | null;
  project_deleted_at: Date | null;
  my_permissions: ('read' | 'write' | 'comment' | 'manage')[] | null;
};

/**
 * An account-wide webhook is its owner's alone. A project's webhooks belong to whoever manages the project; while the
 * project is deleted, to its owner, who still has to see that `project.deleted` arrived.
 */
export function mustManage<Webhook extends WebhookAccess>(webhook: Webhook | undefined, userId: string): Webhook {
  if (!webhook) throw notFound('Webhook');
  if (webhook.project_id === null) {
    if (webhook.owner_id !== userId) throw notFound('Webhook');
    return webhook;
  }
  const { project_owner_id: owner_id, project_public, project_deleted_at, my_permissions } = webhook;
  if (owner_id === null || (project_deleted_at !== null && owner_id !== userId)) throw notFound('Webhook');
  const access = { owner_id, public: project_public === true, status: 'active', my_permissions } as const;
  const permissions = permissionsOf(access, userId);
  if (!permissions.includes('read')) throw notFound('Webhook');
  if (!permissions.includes('manage')) throw forbidden('You may not manage the webhooks of this project');
  return webhook;
}
