import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { stringIn, tokenIn } from '../kit/address.ts';

export type Recent = { path: string; ref: string | undefined };

const maxRecent = 8;

export const projectIn = (pathname: string): string | undefined => /^\/projects\/(prj_\w+)/.exec(pathname)?.[1];

/** Recently opened files. They are only in memory, because the next user of this browser must not see them. */
export function useRecentFiles(): Recent[] {
  const { pathname, search } = useLocation();
  const projectId = projectIn(pathname);
  const [files, setFiles] = useState<Record<string, Recent[]>>({});
  const asked: { path?: unknown; ref?: unknown } = pathname.endsWith('/files') ? search : {};
  const [path, ref] = [stringIn(asked.path), tokenIn(asked.ref)];
  useEffect(() => {
    if (projectId === undefined || path === undefined) return;
    setFiles((known) => {
      const others = (known[projectId] ?? []).filter((one) => one.path !== path || one.ref !== ref);
      return { ...known, [projectId]: [{ path, ref }, ...others].slice(0, maxRecent) };
    });
  }, [projectId, path, ref]);
  return files[projectId ?? ''] ?? [];
}
