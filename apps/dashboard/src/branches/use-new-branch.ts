import type { CreateBranch } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, once } from '../api/client.ts';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';

export function useNewBranch(projectId: string, created: (name: string) => unknown) {
  const words = useWords(branchesWords);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateBranch) =>
      call('POST /projects/{project_id}/branches', { params: { project_id: projectId }, body, ...once() }),
    onSuccess: async ({ name }) => {
      toast(words.created(name));
      await created(name);
      await client.invalidateQueries({ queryKey: ['projects', projectId, 'branches'] });
    },
  });
}
