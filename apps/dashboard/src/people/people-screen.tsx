import type { Collaborator, ProjectDetail, Role } from '@bottega/contract';
import { Avatar, Badge, Box, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { collaboratorsQuery, type Rights, useRights } from '../api/rights.ts';
import { useSignedIn } from '../api/session.ts';
import { avatarSource } from '../kit/avatar-source.ts';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Loading } from '../kit/loading.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { InviteForm } from './invite-form.tsx';
import { peopleWords } from './people.words.ts';
import { ResendButton } from './resend-button.tsx';
import { TransferSection } from './transfer-section.tsx';

const route = getRouteApi('/inside/projects/$projectId/people');

export function PeopleScreen() {
  const words = useWords(peopleWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const people = useQuery(collaboratorsQuery(projectId));
  const rights = useRights(project);
  useTitle(`${words.title} · ${project.name}`);
  // In a row, null stands for the owner, who is listed first and is not a collaborator.
  const columns: Column<Collaborator | null>[] = [
    { name: words.person, cell: (one) => <Person person={one?.user ?? ownerOf(project)} /> },
    {
      name: words.role,
      cell: (one) => (one ? <RoleOf collaborator={one} projectId={projectId} rights={rights} /> : words.owner),
    },
    {
      name: words.since,
      cell: (one) => {
        const since = one ? one.joined_at : project.created_at;
        return since ? <Ago at={since} /> : <Badge variant="default">{words[one?.status as 'pending']}</Badge>;
      },
      visibleFrom: 'sm',
    },
    { name: '', cell: (one) => one && <Actions collaborator={one} projectId={projectId} rights={rights} /> },
  ];
  return (
    <Content>
      <Refusal error={people.error} retry={people.refetch} />
      {people.isPending && <Loading />}
      <Box mb="lg">
        <DataTable
          rows={[null, ...(people.data ?? [])]}
          columns={columns}
          keyOf={(collaborator) => collaborator?.id ?? 'owner'}
          minWidth={420}
        />
      </Box>
      {rights.manage && project.status === 'active' && <InviteForm projectId={projectId} />}
      {rights.isOwner && project.status === 'active' && <TransferSection projectId={projectId} />}
    </Content>
  );
}

type PersonShown = { name: string | null; email: string; avatar_url: string | null };

const ownerOf = ({ owner }: ProjectDetail): PersonShown => ({ ...owner, avatar_url: `/avatars/${owner.id}.svg` });

function Person({ person: { name, email, avatar_url: picture } }: { person: PersonShown }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Avatar src={picture?.startsWith('/') ? picture : avatarSource(picture)} alt="" size={26} />
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {name ?? email}
        </Text>
        {name && email && (
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

type RowProps = { collaborator: Collaborator; projectId: string; rights: Rights };

const nameOf = ({ user }: Collaborator): string => user.name ?? user.email;

/** Shows the new role immediately, and the old one again if the service refuses. */
function RoleOf({ collaborator, projectId, rights }: RowProps) {
  const words = useWords(peopleWords);
  const client = useQueryClient();
  const { user } = useSignedIn();
  const { queryKey } = collaboratorsQuery(projectId);
  async function change(role: Role) {
    const before = client.getQueryData(queryKey);
    client.setQueryData(queryKey, (all) => all?.map((row) => (row.id === collaborator.id ? { ...row, role } : row)));
    try {
      const params = { project_id: projectId, collaborator_id: collaborator.id };
      await call('PATCH /projects/{project_id}/collaborators/{collaborator_id}', { params, body: { role } });
    } catch (error) {
      client.setQueryData(queryKey, before);
      toastRefusal(error);
    }
    await client.invalidateQueries({ queryKey });
  }
  if (!rights.manage || collaborator.user.id === user.id) return words[collaborator.role];
  return (
    <NativeSelect
      size="xs"
      w={120}
      aria-label={words.roleOf(nameOf(collaborator))}
      value={collaborator.role}
      onChange={(event) => void change(event.currentTarget.value as Role)}
      data={(['viewer', 'editor', 'admin'] as const).map((role) => ({ value: role, label: words[role] }))}
    />
  );
}

function Actions({ collaborator, projectId, rights }: RowProps) {
  const words = useWords(peopleWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { user } = useSignedIn();
  const name = nameOf(collaborator);
  const params = { project_id: projectId, collaborator_id: collaborator.id };
  const isMe = collaborator.user.id === user.id;
  async function remove() {
    const question = isMe
      ? { title: words.leaveTitle, hint: words.leaveHint, yes: words.leave }
      : { title: words.removeTitle(name), hint: words.removeHint, yes: words.remove };
    if (!(await confirm({ ...question, isDangerous: true }))) return;
    try {
      await call('DELETE /projects/{project_id}/collaborators/{collaborator_id}', { params });
    } catch (error) {
      return toastRefusal(error);
    }
    if (isMe) await navigate({ to: '/projects' });
    await client.invalidateQueries({ queryKey: isMe ? ['projects', 'list'] : collaboratorsQuery(projectId).queryKey });
  }
  return (
    <Group gap={6} justify="flex-end">
      {rights.manage && collaborator.status !== 'active' && <ResendButton params={params} name={name} />}
      {isMe && (
        <Button size="compact-xs" variant="default" onClick={() => void remove()}>
          {words.leave}
        </Button>
      )}
      {rights.manage && !isMe && <RowButton label={words.remove} of={name} onClick={() => void remove()} />}
    </Group>
  );
}
