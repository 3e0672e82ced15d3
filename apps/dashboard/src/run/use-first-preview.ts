import type { File, Workspace, WorkspacePort } from '@bottega/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callRaw } from '../api/client.ts';
import type { Place } from '../api/project.ts';

/** Largest file that is read, in bytes: the service reads no larger one either. */
const largest = 65_536;
/** Workspaces whose preview was already shown. If the user has closed it, it must not open again. */
const shownOf = new Set<string>();

type Options = {
  place: Place;
  files: readonly File[];
  workspace: Workspace;
  ports: readonly WorkspacePort[] | undefined;
  /** The workspace was started in this pane, so all its ports are new. */
  isFresh: boolean;
  show: (port: number) => void;
};

/** If bottega.json starts a program, the user wants to see its port. So the first port that opens is shown once. */
export function useFirstPreview({ place, files, workspace, ports, isFresh, show }: Options): void {
  const file = files.find(({ path, type }) => path === '/bottega.json' && type === 'file');
  const { projectId, ...on } = place;
  const { data: isDeclared = false } = useQuery({
    queryKey: ['projects', projectId, 'content', file?.id, file?.checksum, 'start'],
    queryFn: async ({ signal }) => {
      const params = { project_id: projectId, file_id: file?.id ?? '' };
      const address = 'GET /projects/{project_id}/files/{file_id}/content';
      return declaresStart(await (await callRaw(address, { params, query: on, signal })).text());
    },
    enabled: file !== undefined && (file.size ?? 0) <= largest,
  });
  const hadNone = useRef(false);
  const first = ports?.find(({ listening }) => listening)?.port;
  if (isFresh || (ports && first === undefined)) hadNone.current = true;
  const { id } = workspace;
  useEffect(() => {
    if (!isDeclared || first === undefined || !hadNone.current || shownOf.has(id)) return;
    shownOf.add(id);
    show(first);
  }, [isDeclared, first, id, show]);
}

/** Whether bottega.json starts a program in every workspace. The service reports what is wrong with the file. */
export function declaresStart(text: string): boolean {
  try {
    const start = (JSON.parse(text) as { workspace?: { start?: unknown } | null } | null)?.workspace?.start;
    return typeof start === 'string' && start !== '';
  } catch {
    return false;
  }
}
