import type { Branch } from '@bottega/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Place } from '../api/project.ts';
import { branchQuery } from '../branches/branches-query.ts';
import { OfferNotice } from '../branches/offer-notice.tsx';
import { ProtectedNotice } from '../branches/protected-notice.tsx';
import { requestsFromQuery } from '../merge-requests/requests-query.ts';

type Options = {
  place: Place;
  /** Null if there is no such branch yet. */
  branch: Branch | null;
  path: string | undefined;
  /** The branch into which the changes of this one are to be merged. */
  target: string | undefined;
  /** Whether the user can edit the project. */
  canWrite: boolean;
  /** Whether the user can write in the session, if there is one. */
  canWriteLive: boolean | undefined;
};

/**
 * Returns whether the text can be edited, and a notice above it. The notice says why it cannot be edited, or offers to
 * open a merge request for what was saved.
 */
export function useBranchNotices({ place, branch, path, target: wanted, canWrite, canWriteLive }: Options): {
  canEdit: boolean;
  notice: ReactNode;
} {
  const client = useQueryClient();
  const isProtected = branch?.protected ?? false;
  const [first] = useState(branch?.sha);
  const isAhead = canWrite && !isProtected && branch !== null && branch.sha !== first;
  const { data: requests } = useQuery({
    ...requestsFromQuery(place.projectId, place.branch ?? 'main'),
    enabled: isAhead,
  });
  const main = useQuery({ ...branchQuery({ projectId: place.projectId }), enabled: isAhead });
  const target = wanted ?? (main.data?.protected ? 'main' : undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session tells at once that there is a rule
  useEffect(() => {
    if (canWriteLive !== undefined) void client.invalidateQueries({ queryKey: branchQuery(place).queryKey });
  }, [canWriteLive]);
  if (canWrite && isProtected) return { canEdit: false, notice: <ProtectedNotice place={place} path={path} /> };
  const isOffered = isAhead && requests?.length === 0 && target !== undefined && target !== branch.name;
  return {
    canEdit: canWrite,
    notice: isOffered && <OfferNotice projectId={place.projectId} source={branch.name} target={target} />,
  };
}
