import type { File } from '@bottega/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { call, linkTo, once } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { type CodeHelp, CodeHelpContext } from '../kit/code-help.ts';
import { toast, toastRefusal } from '../kit/toast.ts';
import type { Rewritten } from '../languages/edits.ts';
import { languageWords } from '../languages/languages.words.ts';
import { createProblemStore } from '../languages/problem-store.ts';
import { ProblemsContext } from '../languages/problems-context.ts';
import { whichOf, workspaceOn, workspacesQuery } from '../run/workspaces-query.ts';
import { useWords } from '../words/words.tsx';
import { checksumOf, readText } from './file-content.ts';

type Props = {
  place: Place;
  files: readonly File[];
  open: (path: string, line?: number) => void;
  children: ReactNode;
};

/** Gives editors below it the help of language servers, as long as a workspace of the branch runs. */
export function LanguageHelp({ place, files, open, children }: Props) {
  const { user } = useSignedIn();
  // No polling, because events report when a workspace starts or stops.
  const { data } = useQuery({ ...workspacesQuery(place.projectId), refetchInterval: false });
  const workspace = data && workspaceOn(data, place.branch ?? 'main', user.id);
  // A workspace without language servers is treated like no workspace.
  const isRunning = workspace?.status === 'running' && workspace.language_servers !== false;
  const run = isRunning ? `${workspace.id} ${workspace.started_at}` : null;
  const [help, setHelp] = useState<CodeHelp | null>(null);
  const problems = useMemo(createProblemStore, []);
  const words = useWords(languageWords);
  const rewrite = useRewriting(place, files);
  const read = async (path: string): Promise<string> => (await readText(place, idOf(files, path))).text;
  const now = { open, words, rewrite, read, which: workspace && whichOf(workspace) };
  const latest = useRef(now);
  latest.current = now;

  useEffect(() => {
    const { which } = latest.current;
    if (run === null || !which) return;
    let close: (() => void) | null = null;
    let isGone = false;
    void import('../languages/language-client.ts').then(({ openLanguageClients }) => {
      if (isGone) return;
      const clients = openLanguageClients({
        urlOf(language) {
          const path = linkTo('GET /projects/{project_id}/workspaces/{workspace_id}/lsp/{language}/ws', {
            params: { ...which, language },
          });
          return window.location.origin.replace(/^http/, 'ws') + path;
        },
        problems,
        show: (path, line) => latest.current.open(path, line),
        isOutside: () => toast(latest.current.words.outside),
        read: (path) => latest.current.read(path),
        rewrite: (others, message) => latest.current.rewrite(others, message),
      });
      close = clients.close;
      setHelp(() => clients.extensionFor);
    });
    return () => {
      isGone = true;
      close?.();
      problems.clear();
      setHelp(null);
    };
  }, [run, problems]);

  return (
    <ProblemsContext value={problems}>
      <CodeHelpContext value={help}>{children}</CodeHelpContext>
    </ProblemsContext>
  );
}

function idOf(files: readonly File[], path: string): string {
  const file = files.find((one) => one.path === path);
  if (!file) throw new Error(`${path} is not a file of the branch`);
  return file.id;
}

/** Changes files that have no editor, in one commit. If one of them has changed meanwhile, nothing is written. */
function useRewriting({ projectId, ...on }: Place, files: readonly File[]) {
  const client = useQueryClient();
  const words = useWords(languageWords);
  const write = async (others: Rewritten[], message: string): Promise<void> => {
    const changes = await Promise.all(
      others.map(async ({ path, rewrite }) => {
        const { text, etag } = await readText({ projectId, ...on }, idOf(files, path));
        return { action: 'update' as const, path, content: rewrite(text), expected_checksum: checksumOf(etag) };
      }),
    );
    await call('POST /projects/{project_id}/commits', {
      params: { project_id: projectId },
      body: { message, changes, ...on },
      ...once(),
    });
    toast(words.committed(changes.length));
    await client.invalidateQueries({ queryKey: ['projects', projectId] });
  };
  return (others: Rewritten[], message: string): void => void write(others, message).catch(toastRefusal);
}
