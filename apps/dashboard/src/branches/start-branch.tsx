import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { filesQuery, placeOf } from '../api/project.ts';
import { openDialog } from '../kit/dialog.ts';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { carryOpenDrafts } from './carried-drafts.ts';
import { NewBranchHere } from './new-branch-here.tsx';

type Showing = {
  /** Moves the unsaved text of the open branch to the other one. */
  carries?: boolean;
  /** The branch into which the changes of the new branch are to be merged. */
  target?: string | undefined;
};

/** Goes to another branch. The workbench keeps its file open if the other branch has it too. */
export function useShowing(projectId: string, current: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const open = 'path' in search ? search.path : undefined;
  const run = 'run' in search ? search.run : undefined;
  const params = { projectId };
  return async (name: string, { carries = false, target }: Showing = {}): Promise<void> => {
    const place = placeOf(projectId, name);
    const ref = place.branch;
    if (pathname.endsWith('/history')) {
      return navigate({ to: '/projects/$projectId/history', params, search: { ref, path: open } });
    }
    const isWorkbench = pathname.endsWith('/files');
    if (isWorkbench && name === current) return;
    const files = isWorkbench && open ? await client.ensureQueryData(filesQuery(place)).catch(() => []) : [];
    const path = files.find((file) => file.path === open)?.path;
    if (carries) await carryOpenDrafts(place);
    await navigate({
      to: '/projects/$projectId/files',
      params,
      search: { ref, path, run, target },
      // The user need not be asked if the unsaved text moves along, because nothing is lost.
      ignoreBlocker: carries,
    });
  };
}

type Begun = Pick<Showing, 'target'> & {
  from: string;
  /** The proposed name. */
  name?: string;
};

/** Opens the dialog for a new branch. The workbench then shows that branch, with the unsaved text of the open one. */
export function useStartBranch(projectId: string, current: string) {
  const words = useWords(branchesWords);
  const show = useShowing(projectId, current);
  return ({ from, name = '', target }: Begun): void => {
    const created = (made: string) => {
      dialog.close();
      return show(made, { carries: true, target });
    };
    const form = <NewBranchHere {...{ projectId, from, name, created }} />;
    const dialog = openDialog({ title: words.newFrom(from), children: form });
  };
}
