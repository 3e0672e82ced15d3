import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callRaw } from '../api/client.ts';
import { fileAt } from '../api/project.ts';
import type { CodeHelp } from '../kit/code-help.ts';
import { useWords } from '../words/words.tsx';
import { editorThreadsWords } from './editor-threads.words.ts';
import type { Offered } from './offered.ts';
import { threadNotes } from './thread-notes.ts';
import type { ThreadStore } from './thread-store.ts';

/** The text of a file at a commit, which never changes. Null if the commit does not contain the file. */
const textAtQuery = (projectId: string, path: string, sha: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'text-at', sha, path],
    queryFn: async ({ signal }) => {
      const file = await fileAt(projectId, path, sha);
      if (!file) return null;
      const params = { project_id: projectId, file_id: file.id };
      const query = { ref: sha };
      return (await callRaw('GET /projects/{project_id}/files/{file_id}/content', { params, query, signal })).text();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

type FeedProps = { offered: Offered; path: string; store: ThreadStore };

/** Gives the editor of a file the open threads of a merge request, with the text to which their line numbers refer. */
function ThreadFeed({ offered: { request, head, threads }, path, store }: FeedProps) {
  const here = threads.filter((thread) => thread.path === path && !thread.resolved);
  const { data: text } = useQuery({ ...textAtQuery(request.project_id, path, head), enabled: here.length > 0 });
  const lines = JSON.stringify(here.map(({ id, line }) => ({ id, line })));
  const isNone = here.length === 0 || text === null;
  useEffect(() => {
    // Until the text of a new version is loaded, the marks stay at the places of the previous version.
    if (isNone) store.put(path, request.number, null);
    else if (text !== undefined) store.put(path, request.number, { text, threads: JSON.parse(lines) });
  }, [store, path, request.number, isNone, text, lines]);
  return null;
}

type Props = Omit<FeedProps, 'offered' | 'path'> & {
  offered: readonly Offered[];
  /** The files that are shown. */
  paths: readonly string[];
  choose: (id: string) => void;
  chosen: () => string | undefined;
  /** Called with the extension that marks lines in editors. */
  give: (notes: CodeHelp | null) => void;
};

/**
 * Marks lines in editors, and renders nothing itself. The code for the marks is loaded together with this component.
 */
export default function ThreadFeeds({ offered, paths, store, choose, chosen, give }: Props) {
  const words = useWords(editorThreadsWords);
  useEffect(() => {
    give(threadNotes({ store, label: words.marks, choose, chosen }));
    return () => give(null);
  }, [store, words, choose, chosen, give]);
  return paths.flatMap((path) =>
    offered.map((one) => <ThreadFeed key={`${one.request.number} ${path}`} offered={one} path={path} store={store} />),
  );
}
