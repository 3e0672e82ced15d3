import type { Branch } from '@bottega/contract';
import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { confirm } from '../kit/confirm.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { ItemList, Rows } from '../kit/paged-list.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { branchesQuery, comparisonQuery } from './branches-query.ts';
import { NewBranchForm } from './new-branch-form.tsx';

const route = getRouteApi('/inside/projects/$projectId/branches');

/** Each row requests its branch's distance from main, so the number of rows is limited. */
const maxShown = 30;

export function BranchesScreen() {
  const words = useWords(branchesWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const rights = useRights(project);
  const branches = useQuery(branchesQuery(projectId));
  const [sought, setSought] = useState('');
  useTitle(`${words.title} · ${project.name}`);
  const all = branches.data ?? [];
  const matching = all.filter(({ name }) => name.includes(sought.trim()));
  const inOrder = matching.toSorted((one, other) => Number(other.is_default) - Number(one.is_default));
  const shown = inOrder.slice(0, maxShown);
  return (
    <Content>
      {rights.write && all.length > 0 && <NewBranchForm projectId={projectId} branches={all} />}
      {all.length > maxShown && (
        <TextInput
          label={words.find}
          value={sought}
          maw={320}
          mb="sm"
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      <ItemList
        answer={branches}
        items={branches.data && shown}
        none={{ title: words.none, hint: words.noneHint }}
        clear={sought !== '' && (() => setSought(''))}
      >
        {(rows) => (
          <Rows>
            {rows.map((branch) => (
              <BranchRow key={branch.name} branch={branch} projectId={projectId} canWrite={rights.write} />
            ))}
          </Rows>
        )}
      </ItemList>
      {matching.length > shown.length && (
        <Text size="sm" c="dimmed" mt="xs" role="status">
          {words.some(shown.length, matching.length)}
        </Text>
      )}
    </Content>
  );
}

type RowProps = { branch: Branch; projectId: string; canWrite: boolean };

function BranchRow({ branch: { name, updated_at: at, is_default: isDefault }, projectId, canWrite }: RowProps) {
  const words = useWords(branchesWords);
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /projects/{project_id}/branches/{branch}', { params: { project_id: projectId, branch: name } }),
    onSuccess: async () => {
      toast(words.removed(name));
      await client.invalidateQueries({ queryKey: ['projects', projectId, 'branches'] });
    },
    onError: toastRefusal,
  });
  const ask = async () => {
    const question = { title: words.removeTitle(name), hint: words.removeHint, yes: words.remove, isDangerous: true };
    if (await confirm(question)) remove.mutate();
  };
  return (
    <Group justify="space-between" px="sm" py={8} gap="xs">
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Group gap="xs">
          <AnchorLink
            to="/projects/$projectId/files"
            params={{ projectId }}
            search={isDefault ? {} : { ref: name }}
            fw={600}
            size="sm"
            className="breaks-anywhere"
          >
            {name}
          </AnchorLink>
          {isDefault ? (
            <Badge size="xs" variant="default">
              {words.isDefault}
            </Badge>
          ) : (
            <Distance projectId={projectId} name={name} />
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {words.updated} <Ago at={at} />
        </Text>
      </Stack>
      <Group gap="sm">
        <AnchorLink
          to="/projects/$projectId/history"
          params={{ projectId }}
          search={isDefault ? {} : { ref: name }}
          size="xs"
          aria-label={`${words.history}: ${name}`}
        >
          {words.history}
        </AnchorLink>
        {!isDefault && (
          <AnchorLink
            to="/projects/$projectId/branches/compare"
            params={{ projectId }}
            search={{ base: 'main', head: name }}
            size="xs"
            aria-label={`${words.compare}: ${name}`}
          >
            {words.compare}
          </AnchorLink>
        )}
        {!isDefault && canWrite && (
          <AnchorLink
            to="/projects/$projectId/merge-requests/new"
            params={{ projectId }}
            search={{ source: name }}
            size="xs"
            aria-label={`${words.openRequest}: ${name}`}
          >
            {words.openRequest}
          </AnchorLink>
        )}
        {!isDefault && canWrite && (
          <RowButton label={words.remove} of={name} onClick={() => void ask()} loading={remove.isPending} isDangerous />
        )}
      </Group>
    </Group>
  );
}

/** How far a branch is ahead of and behind main, once this is known. */
function Distance({ projectId, name }: { projectId: string; name: string }) {
  const words = useWords(branchesWords);
  const { data } = useQuery(comparisonQuery(projectId, { base: 'main', head: name, summary: true }));
  if (!data) return null;
  const counts = [data.ahead > 0 && words.ahead(data.ahead), data.behind > 0 && words.behind(data.behind)];
  const said = data.status === 'unrelated' ? words.unrelated : counts.filter(Boolean).join(', ') || words.even;
  return (
    <Text size="xs" c="dimmed">
      {said}
    </Text>
  );
}
