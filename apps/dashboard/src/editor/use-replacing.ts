import type { File } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, once } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { confirm } from '../kit/confirm.tsx';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { checksumOf, isText, readText } from './file-content.ts';
import { replaceWords } from './replace.words.ts';
import { replaceAll } from './replace-all.ts';

type Wanted = { files: readonly File[]; sought: string; replacement: string };

/**
 * Replaces a text in these files with one commit, after a question that says how many matches there are. If somebody
 * has changed one of the files meanwhile, nothing is written.
 */
export function useReplacing({ projectId, ...on }: Place) {
  const words = useWords(replaceWords);
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ files, sought, replacement }: Wanted) => {
      const read = files.map(async ({ id, path }) => {
        const { text, etag } = await readText({ projectId, ...on }, id);
        return { path, etag, ...(isText(text) ? replaceAll(text, sought, replacement) : { text, count: 0 }) };
      });
      const changed = (await Promise.all(read)).filter(({ count }) => count > 0);
      const count = changed.reduce((sum, one) => sum + one.count, 0);
      const question = { title: words.ask(count, changed.length), hint: words.askHint(sought, replacement) };
      if (count === 0 || !(await confirm({ ...question, yes: words.yes }))) return;
      const changes = changed.map(({ path, text, etag }) => ({
        ...{ action: 'update' as const, path, content: text, expected_checksum: checksumOf(etag) },
      }));
      // In English, like the service's own messages.
      const message = replacement === '' ? `Remove ${sought}` : `Replace ${sought} with ${replacement}`;
      const params = { project_id: projectId };
      await call('POST /projects/{project_id}/commits', { params, body: { message, changes, ...on }, ...once() });
      toast(words.done(count));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['projects', projectId] }),
  });
}
