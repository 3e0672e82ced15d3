import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectQuery } from '../api/project.ts';
import { collaboratorsQuery } from '../api/rights.ts';
import { useSignedIn } from '../api/session.ts';
import { avatarSource } from '../kit/avatar-source.ts';
import type { Person } from './mention-at.ts';

/**
 * The other members of a project. Readers who are not members see no usernames and guests see no project, so both are
 * offered nobody. Nothing is read before somebody begins a mention.
 */
export function usePeople(projectId: string | null, isWanted: boolean): Person[] {
  const { user } = useSignedIn();
  const id = projectId ?? '';
  const enabled = projectId !== null && isWanted;
  const { data: project } = useQuery({ ...projectQuery(id), enabled });
  const { data: collaborators } = useQuery({ ...collaboratorsQuery(id), enabled });
  return useMemo(() => {
    if (!project || !collaborators) return [];
    const owner = { ...project.owner, avatar_url: null };
    const others = collaborators.flatMap((one) => (one.status === 'active' ? [one.user] : []));
    return [owner, ...others].flatMap(({ id: userId, name, username, avatar_url: picture }) =>
      userId === null || userId === user.id || !username
        ? []
        : [
            {
              ...{ id: userId, name: name ?? username, username },
              picture: avatarSource(picture) ?? `/avatars/${userId}.svg`,
            },
          ],
    );
  }, [project, collaborators, user.id]);
}
