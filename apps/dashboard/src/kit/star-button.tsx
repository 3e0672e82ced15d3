import { ActionIcon } from '@mantine/core';
import { IconStar } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { starsQuery } from '../api/stars.ts';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';
import { toastRefusal } from './toast.ts';

/** Adds or removes a star. The button changes immediately, and changes back if the service refuses. */
export function StarButton({ project: { id, name } }: { project: { id: string; name: string } }) {
  const words = useWords(kitWords);
  const client = useQueryClient();
  const { data: stars = [] } = useQuery(starsQuery);
  const toggle = useMutation({
    // Requests run one after the other, so that the last click wins.
    scope: { id: 'stars' },
    mutationFn: (wanted: boolean) => {
      const at = { params: { project_id: id } };
      return wanted ? call('PUT /projects/{project_id}/star', at) : call('DELETE /projects/{project_id}/star', at);
    },
    onMutate: (wanted) =>
      client.setQueryData(starsQuery.queryKey, (ids = []) => [
        ...(wanted ? [id] : []),
        ...ids.filter((other) => other !== id),
      ]),
    onError: async (error) => {
      toastRefusal(error);
      await client.invalidateQueries({ queryKey: starsQuery.queryKey });
    },
  });
  const isStarred = stars.includes(id);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-pressed={isStarred}
      aria-label={`${words.star}: ${name}`}
      onClick={() => toggle.mutate(!isStarred)}
    >
      <IconStar
        size={16}
        aria-hidden
        {...(isStarred && { fill: 'currentColor', style: { color: 'light-dark(#b35c00, #ffd43b)' } })}
      />
    </ActionIcon>
  );
}
