import type { File } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { fileAt, type Place } from '../api/project.ts';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import { checksumOf, etagOf } from './file-content.ts';
import type { ChangeTabs, Tab } from './tabs.ts';

type Commit = { tabs: Tab[]; message: string };
type Options = { place: Place; files: readonly File[]; change: ChangeTabs };

/**
 * Commits several files at once. Each change names the version of the file that it is based on. If one of the files has
 * changed since that version, nothing is written.
 */
export function useCommitting({ place, files, change }: Options) {
  const { projectId, ...on } = place;
  const words = useWords(changeWords);
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ tabs, message }: Commit) => {
      const params = { project_id: projectId };
      const changes = tabs.map(({ path, draft, etag }) =>
        files.some((file) => file.path === path)
          ? { action: 'update' as const, path, content: draft, expected_checksum: checksumOf(etag) }
          : { action: 'create' as const, path, content: draft },
      );
      const { sha } = await call('POST /projects/{project_id}/commits', {
        params,
        body: { message, changes, ...on },
        ...once(),
      });
      for (const { path, fileId, draft } of tabs) {
        // If somebody had deleted the file, the commit has created a new file, with another id.
        const file = await fileAt(projectId, path, sha);
        change({ type: 'saved', path, fileId: file?.id ?? fileId, stored: draft, etag: file ? etagOf(file) : '' });
      }
    },
    onSuccess: (_nothing, { message }) => toast(words.committed(message)),
    onSettled: () => client.invalidateQueries({ queryKey: ['projects', projectId] }),
  });
}

/** The path of the file that prevented a commit because it has changed. Null if there was another reason. */
export function staleIn(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 412) return null;
  const { path } = error.details as { path?: string };
  return path ?? null;
}
