import type { Workspace } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, once } from '../api/client.ts';
import { toast, toastRefusal } from '../kit/toast.ts';
import { exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';
import { whichOf, workspacesKey } from './workspaces-query.ts';

/** Makes copies of a workspace: forks, which the editor then shows, and snapshots. */
export function useCopies(workspace: Workspace) {
  const words = useWords(runWords);
  const language = useLanguage();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { project_id: projectId } = workspace;
  const fork = useMutation({
    mutationFn: () =>
      call('POST /projects/{project_id}/workspaces/{workspace_id}/fork', {
        params: whichOf(workspace),
        body: {},
        ...once(),
      }),
    onSuccess: async ({ branch }) => {
      await client.invalidateQueries({ queryKey: workspacesKey(projectId) });
      await navigate({
        to: '/projects/$projectId/files',
        params: { projectId },
        // The session belongs to the former branch, and would lead back to it.
        search: (before) => ({ ...before, ref: branch, session: undefined }),
      });
    },
    onError: toastRefusal,
  });
  const snapshot = useMutation({
    mutationFn: () =>
      call('POST /projects/{project_id}/workspaces/{workspace_id}/snapshots', {
        params: whichOf(workspace),
        body: { name: `${workspace.name.slice(0, 60)}, ${exactly(new Date().toISOString(), language)}` },
        ...once(),
      }),
    onSuccess: ({ name }) => toast(words.snapshotDone(name)),
    onError: toastRefusal,
  });
  return { fork, snapshot };
}
