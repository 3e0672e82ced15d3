import type { Collaborator, Role } from '@bottega/contract';
import { Avatar, Badge, Box, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { collaboratorsQuery, type Rights, useRights } from '../api/rights.ts';
import { useSignedIn } from '../api/session.ts';
import { avatarSource } from '../kit/avatar-source.ts';
import { confirm } from '../kit/confirm.tsx';
import { Loading } from '../kit/loading.tsx';
import { useTitle } from '../kit/page.tsx';
import { Refusal, toastRefusal } from '../kit/refusal.tsx';
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
  return (
    <Box p="md" maw={960} w="100%">
      <Refusal error={people.error} retry={people.refetch} />
      {people.isPending && <Loading />}
      <Table.ScrollContainer minWidth={420} className="surface" mb="lg">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.person}</Table.Th>
              <Table.Th>{words.role}</Table.Th>
              <Table.Th visibleFrom="sm">{words.since}</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Td>
                <Person
                  name={project.owner.name}
                  email={project.owner.email}
                  picture={`/avatars/${project.owner.id}.svg`}
                />
              </Table.Td>
              <Table.Td>{words.owner}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Ago at={project.created_at} />
              </Table.Td>
              <Table.Td />
            </Table.Tr>
            {people.data?.map((one) => (
              <Row key={one.id} one={one} projectId={projectId} rights={rights} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rights.manage && project.status === 'active' && <InviteForm projectId={projectId} />}
      {rights.isOwner && project.status === 'active' && <TransferSection projectId={projectId} />}
    </Box>
  );
}

function Person({ name, email, picture }: { name: string | null; email: string; picture: string | null }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Avatar src={picture?.startsWith('/') ? picture : avatarSource(picture)} alt="" size={26} />
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {name ?? email}
        </Text>
        {name && (
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

function Row({ one, projectId, rights }: { one: Collaborator; projectId: string; rights: Rights }) {
  const words = useWords(peopleWords);
  const { user } = useSignedIn();
  const client = useQueryClient();
  const navigate = useNavigate();
  const name = one.user.name ?? one.user.email;
  const address = `/projects/${projectId}/collaborators/${one.id}`;
  const { queryKey } = collaboratorsQuery(projectId);
  const isMe = one.user.id === user.id;

  async function changeRole(role: Role) {
    const before = client.getQueryData(queryKey);
    client.setQueryData(queryKey, (all) => all?.map((row) => (row.id === one.id ? { ...row, role } : row)));
    try {
      await api.patch(address, { role });
    } catch (error) {
      client.setQueryData(queryKey, before);
      toastRefusal(error);
    }
    await client.invalidateQueries({ queryKey });
  }

  async function remove() {
    const question = isMe
      ? { title: words.leaveTitle, hint: words.leaveHint, yes: words.leave, isDangerous: true }
      : { title: words.removeTitle(name), hint: words.removeHint, yes: words.remove, isDangerous: true };
    if (!(await confirm(question))) return;
    try {
      await api.delete(address);
    } catch (error) {
      return toastRefusal(error);
    }
    if (isMe) await navigate({ to: '/projects' });
    await client.invalidateQueries({ queryKey: isMe ? ['projects', 'list'] : queryKey });
  }

  return (
    <Table.Tr>
      <Table.Td>
        <Person name={one.user.name} email={one.user.email} picture={one.user.avatar_url} />
      </Table.Td>
      <Table.Td>
        {rights.manage && !isMe ? (
          <NativeSelect
            size="xs"
            w={120}
            aria-label={words.roleOf(name)}
            value={one.role}
            onChange={(event) => void changeRole(event.currentTarget.value as Role)}
            data={(['viewer', 'editor', 'admin'] as const).map((role) => ({ value: role, label: words[role] }))}
          />
        ) : (
          words[one.role]
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {one.joined_at ? <Ago at={one.joined_at} /> : <Badge variant="default">{words[one.status as 'pending']}</Badge>}
      </Table.Td>
      <Table.Td ta="right">
        {rights.manage && one.status !== 'active' && <ResendButton address={address} name={name} />}
        {(rights.manage || isMe) && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={remove}
            aria-label={isMe ? words.leave : `${words.remove}: ${name}`}
          >
            {isMe ? words.leave : words.remove}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
