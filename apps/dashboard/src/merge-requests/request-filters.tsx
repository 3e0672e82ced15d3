import type { ProjectDetail } from '@bottega/contract';
import { Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { FilterSelect } from '../kit/filters.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { useWords } from '../words/words.tsx';
import { membersOf } from './members.ts';
import { requestsWords } from './requests.words.ts';

const route = getRouteApi('/inside/projects/$projectId/merge-requests');

/** The filters for the list of merge requests. */
export function RequestFilters({ project }: { project: ProjectDetail }) {
  const words = useWords(requestsWords);
  const { author, reviewer, label } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: { author?: string | undefined; reviewer?: string | undefined; label?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...part, page: undefined }), replace: true });
  const people = Object.fromEntries(membersOf(project).map(({ id, name }) => [id, name]));
  return (
    <Group mb="md" gap="sm">
      <FilterSelect
        label={words.author}
        any={words.anyAuthor}
        value={author}
        options={people}
        change={(value) => change({ author: value })}
      />
      <FilterSelect
        label={words.reviewer}
        any={words.anyReviewer}
        value={reviewer}
        options={people}
        change={(value) => change({ reviewer: value })}
      />
      <SearchField label={words.label} value={label} seek={(wanted) => change({ label: wanted })} />
    </Group>
  );
}
