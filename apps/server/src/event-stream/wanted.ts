import {
  deliveredName,
  type EventListQuery,
  type EventType,
  eventTypes,
  namesIn,
  scopeAllows,
  scopeToReceive,
  typesOf,
  type WebhookFormat,
} from '@bottega/contract';
import type { Principal } from '../foundation/http/index.ts';
import { compileFilters, mustBeAbleToHear, renderBody, renderData } from '../webhooks/index.ts';
import type { Audience, FoundEvent } from './windows.sql.ts';

/** The events that a client asks for and its credential allows. The database decides which ones the user may see. */
export type Wanted = {
  userId: string;
  /** An administrator with an unrestricted credential sees events of all accounts. */
  asAdmin: boolean;
  types: ReadonlySet<EventType>;
  format: WebhookFormat;
  /** The event's name in the requested format. Null if the client does not want the event. */
  nameOf(event: FoundEvent): string | null;
};

type Asked = Pick<EventListQuery, 'types' | 'project_id' | 'path' | 'format'>;

export function wantedBy(principal: Principal, { types, project_id, path, format }: Asked): Wanted {
  const names = types === undefined ? ['*'] : namesIn(types);
  const { userId, scopes, serviceAccount } = principal;
  // `*` means all events that the credential may read. A named event that the credential may not read is an error.
  if (!names.includes('*')) mustBeAbleToHear(principal, names);
  const heard = new Set(typesOf(names).filter((type) => scopeAllows(scopes, scopeToReceive(type))));
  const asked = compileFilters({
    ...(project_id !== undefined && { projects: [project_id] }),
    ...(path !== undefined && { paths: [path] }),
  });
  const account = compileFilters(serviceAccount ? { projects: [...serviceAccount.projects] } : null);
  const asAdmin = scopes.length === 0 && !serviceAccount;
  return {
    userId,
    asAdmin,
    types: heard,
    format,
    nameOf(event) {
      const isEntitled = event.users.includes(userId) || (asAdmin && event.admins.includes(userId));
      const isWanted = isEntitled && heard.has(event.type) && asked.passes(event) && account.passes(event);
      return isWanted ? deliveredName(event.type, format, names) : null;
    },
  };
}

/** The smallest set of users and types that covers what all of these clients want. */
export function audienceOf(all: Iterable<Wanted>): Audience {
  const [users, admins, types] = [new Set<string>(), new Set<string>(), new Set<EventType>()];
  for (const wanted of all) {
    users.add(wanted.userId);
    if (wanted.asAdmin) admins.add(wanted.userId);
    if (types.size < eventTypes.length) for (const type of wanted.types) types.add(type);
  }
  return { users: [...users], admins: [...admins], types: [...types] };
}

/** The body that a webhook would get. The event's id stands in for the delivery's id. */
export function bodyOf(event: FoundEvent, name: string, format: WebhookFormat): string {
  return renderBody(format, {
    event_id: event.id,
    name,
    webhook_id: 'stream',
    delivery_id: event.id,
    attempt: 1,
    created_at: event.created_at,
    request_id: event.request_id,
    idempotency_key: event.idempotency_key,
    data: renderData(event, format),
  });
}
