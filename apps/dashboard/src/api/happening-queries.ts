import type { EventType } from '@bottega/contract';
import type { InvalidateQueryFilters } from '@tanstack/react-query';
import type { Happening } from './happenings-stream.ts';
import { sessionKey } from './session.ts';

type Stale = Pick<InvalidateQueryFilters, 'queryKey' | 'exact'>;
type StaleIn = (projectId: string) => Stale[];

const ofActivity = (id: string): Stale => ({ queryKey: ['projects', id, 'activity'] });
const ofProject: StaleIn = (id) => [
  { queryKey: ['projects', id], exact: true },
  { queryKey: ['projects', 'list'] },
  { queryKey: ['projects', id, 'transfer'] },
  { queryKey: ['transfers'] },
];
const ofFiles: StaleIn = (id) =>
  ['files', 'commits', 'branches', 'activity'].map((part) => ({ queryKey: ['projects', id, part] }));
const ofRequests: StaleIn = (id) => [
  { queryKey: ['projects', id, 'merge-requests'] },
  { queryKey: ['own-merge-requests'] },
];
/**
 * What a push makes stale. It includes merge requests, because a push can change whether their branches can be merged.
 */
const ofPush: StaleIn = (id) => [...ofFiles(id), ...ofRequests(id)];
const ofPeople: StaleIn = (id) => [
  { queryKey: ['projects', id, 'collaborators'] },
  { queryKey: ['projects', 'list'] },
  { queryKey: ['invitations'] },
  ofActivity(id),
];
const ofDeployments: StaleIn = (id) => [
  { queryKey: ['projects', id, 'deployments'] },
  ofActivity(id),
  { queryKey: ['projects', 'list'] },
  { queryKey: ['projects', id], exact: true },
];
const ofWorkspaces: StaleIn = (id) => [{ queryKey: ['projects', id, 'workspaces'] }];
const ofDomains: StaleIn = (id) => [{ queryKey: ['projects', id, 'domains'] }];
const ofComments: StaleIn = (id) => [{ queryKey: ['projects', id, 'comments'] }, ofActivity(id)];
const ofAccount: StaleIn = () => [{ queryKey: sessionKey }];
const ofSignIns: StaleIn = () => [{ queryKey: ['sessions'] }];

/**
 * The queries that an event makes stale, by the type of the event. The page listens only to these types, because other
 * events, such as downloads, are too frequent.
 */
const staleBy = {
  'project.created': ofProject,
  'project.updated': ofProject,
  'project.deleted': ofProject,
  'collaboration.invited': ofPeople,
  'collaboration.joined': ofPeople,
  'collaboration.left': ofPeople,
  'file.created': ofFiles,
  'file.updated': ofFiles,
  'file.deleted': ofFiles,
  // This event is needed because no file events are sent when a branch is created or deleted.
  'repository.pushed': ofPush,
  'merge_request.opened': ofRequests,
  'merge_request.updated': ofRequests,
  'merge_request.merged': ofRequests,
  'merge_request.closed': ofRequests,
  'merge_request.queued': ofRequests,
  'merge_request.dequeued': ofRequests,
  'check.completed': ofRequests,
  'review.submitted': ofRequests,
  'review.commented': ofRequests,
  'deployment.started': ofDeployments,
  'deployment.completed': ofDeployments,
  'deployment.failed': ofDeployments,
  'domain.verified': ofDomains,
  'domain.failed': ofDomains,
  'comment.created': ofComments,
  'comment.updated': ofComments,
  'comment.deleted': ofComments,
  'workspace.started': ofWorkspaces,
  'workspace.slept': ofWorkspaces,
  'workspace.failed': ofWorkspaces,
  'workspace.branch_changed': ofWorkspaces,
  'workspace.port_opened': ofWorkspaces,
  'workspace.agent_stopped': ofWorkspaces,
  'workspace.agent_resumed': ofWorkspaces,
  'user.updated': ofAccount,
  // The bell refreshes its own queries, because it knows whose notification it is.
  'notification.created': () => [],
  'user.login': ofSignIns,
  'user.logout': ofSignIns,
} satisfies Partial<Record<EventType, StaleIn>>;

export type HeardType = keyof typeof staleBy;
export const heardTypes = Object.keys(staleBy) as HeardType[];

/** Deliveries become stale with every event, because any event may cause one. */
const always: Stale = { queryKey: ['webhooks'] };

const gatherFor = 400;

/** Collects stale queries for a moment, so that a push of a thousand files reloads the tree once. */
export function gatherStale(invalidate: (stale: Stale) => void) {
  const gathered = new Map<string, Stale>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const stale of gathered.values()) invalidate(stale);
    gathered.clear();
  };
  return {
    heard({ type, projectId }: Pick<Happening, 'type' | 'projectId'>): void {
      const staleIn: StaleIn | undefined = staleBy[type as HeardType];
      for (const stale of [always, ...(staleIn?.(projectId ?? '') ?? [])]) {
        gathered.set(JSON.stringify(stale), stale);
      }
      timer ??= setTimeout(flush, gatherFor);
    },
    stop: () => clearTimeout(timer),
  };
}
