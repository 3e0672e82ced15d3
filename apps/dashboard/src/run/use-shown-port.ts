import { useQuery } from '@tanstack/react-query';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { portsQuery, workspaceOn, workspacesQuery } from './workspaces-query.ts';

/** Stands for the workspace of a branch that has none. Its queries are never sent. */
const none = { id: '', project_id: '', started_at: null, status: 'sleeping' } as Parameters<typeof portsQuery>[0];

type Options = {
  wanted: number | null;
  /** Only members of the project see its workspaces. */
  canRun: boolean;
};

/**
 * The port that the preview offers beside the file and the site: the one in the URL, or the first on which a program
 * listens.
 */
export function useShownPort({ projectId, branch = 'main' }: Place, { wanted, canRun }: Options) {
  const { user } = useSignedIn();
  const { data: all = [] } = useQuery({ ...workspacesQuery(projectId), enabled: canRun });
  const { data: ports = [] } = useQuery(portsQuery(workspaceOn(all, branch, user.id) ?? none));
  if (!canRun) return null;
  if (wanted === null) return ports.find(({ listening }) => listening) ?? null;
  return { url: null, ...ports.find(({ port }) => port === wanted), port: wanted };
}
