import { allScopes, type Scope, scopeAllows, scopeToReceive, typesOf } from '@bottega/contract';
import { forbidden, notFound, type Principal } from '../../foundation/http/index.ts';
import { permissionsOf } from '../../projects/access/index.ts';
import type { WebhookRow, WebhookValues } from './webhooks.sql.ts';

export type WebhookAccess = Pick<
  WebhookRow,
  'owner_id' | 'project_id' | 'project_owner_id' | 'project_public' | 'project_deleted_at' | 'my_permissions'
>;

/**
 * Throws if the user may not manage the webhook. An account-wide webhook can be managed only by its owner. The webhooks
 * of a project can be managed by everyone who manages the project. While the project is deleted, only the project's
 * owner can manage them, because the owner still has to see that `project.deleted` arrived.
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
  if (!permissions.includes('manage'))
    throw forbidden('You do not have permission to manage the webhooks of this project');
  return webhook;
}

/**
 * The scopes that are required to subscribe to these entries. `*` requires every read scope, because it also includes
 * the events of later versions.
 */
const scopesFor = (events: readonly string[]): Scope[] =>
  events.includes('*') ? allScopes.filter((scope) => scope.startsWith('read:')) : typesOf(events).map(scopeToReceive);

/** A credential can only subscribe to events that it could read. */
export function mustBeAbleToHear({ scopes }: Principal, events: readonly string[]): void {
  const missing = scopesFor(events).find((scope) => !scopeAllows(scopes, scope));
  if (missing) throw forbidden(`These events also require the scope ${missing}`);
}

type Binding = Pick<WebhookValues, 'grant_id' | 'as_admin'>;

/** The credential that creates a webhook limits what the webhook receives, and for how long. */
export const bindingOf = ({ scopes, credential }: Principal): Binding => ({
  grant_id: credential.kind === 'oauth' ? credential.id : null,
  as_admin: scopes.length === 0,
});

/**
 * A webhook belongs to the credential that last changed its address, events, filters or headers. A change by an app
 * binds the webhook to the app's grant. The user can release the webhook from the grant by changing its address, or by
 * turning it on again after the grant has ended.
 */
export function rebinding(before: WebhookRow, change: Partial<WebhookValues>, principal: Principal): Partial<Binding> {
  const wakes = change.active === true;
  const decisions = [change.url, change.events, change.filters, change.headers_encrypted];
  if (!wakes && decisions.every((one) => one === undefined)) return {};
  mustBeAbleToHear(principal, change.events ?? before.events);
  const takesOver = principal.credential.kind === 'oauth' || change.url !== undefined || (wakes && before.grant_ended);
  return takesOver ? bindingOf(principal) : {};
}
