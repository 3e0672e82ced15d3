import type { AdminUser } from '@bottega/contract';
import { Avatar, Badge, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, type Page } from '../api/client.ts';
import { avatarSource } from '../kit/avatar-source.ts';
import { Loading } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { adminWords } from './admin.words.ts';
import type { UserSearch } from './admin-search.ts';

const route = getRouteApi('/inside/admin/users');

export function UsersScreen() {
  const words = useWords(adminWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, plan, only, page = 1 } = search;
  const change = (wanted: UserSearch) => void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const users = useQuery({
    queryKey: ['admin', 'users', 'list', { q, plan, only, page }],
    queryFn: ({ signal }) =>
      api.get<Page<AdminUser>>('/admin/users', {
        query: {
          search: q,
          plan,
          ...(only === 'admins' && { is_admin: true }),
          ...(only === 'suspended' && { suspended: true }),
          page,
          limit: 20,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const { data } = users;
  return (
    <>
      <Filters search={search} change={change} />
      <Refusal error={users.error} retry={users.refetch} />
      {users.isPending && <Loading />}
      {data?.data.length === 0 && (
        <Empty title={words.nobody} hint={words.nobodyHint}>
          <Button variant="default" onClick={() => change({ q: undefined, plan: undefined, only: undefined })}>
            {words.clear}
          </Button>
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb={6} role="status">
            {words.count(data.pagination.total)}
          </Text>
          <UserTable users={data.data} isOld={users.isPlaceholderData} />
        </>
      )}
      {data && <Pager page={page} pages={data.pagination.total_pages} go={(wanted) => change({ page: wanted })} />}
    </>
  );
}

function Filters({ search, change }: { search: UserSearch; change: (wanted: UserSearch) => void }) {
  const words = useWords(adminWords);
  return (
    <Group gap="xs" mb="md">
      <SearchField label={words.search} value={search.q} seek={(q) => change({ q })} />
      <NativeSelect
        aria-label={words.plan}
        value={search.plan ?? ''}
        onChange={(event) => change({ plan: (event.currentTarget.value || undefined) as UserSearch['plan'] })}
        data={[{ value: '', label: words.anyPlan }, 'free', 'pro', 'enterprise']}
      />
      <NativeSelect
        aria-label={words.only}
        value={search.only ?? ''}
        onChange={(event) => change({ only: (event.currentTarget.value || undefined) as UserSearch['only'] })}
        data={[
          { value: '', label: words.everybody },
          { value: 'admins', label: words.onlyAdmins },
          { value: 'suspended', label: words.onlySuspended },
        ]}
      />
    </Group>
  );
}

function UserTable({ users, isOld }: { users: AdminUser[]; isOld: boolean }) {
  const words = useWords(adminWords);
  return (
    <Table.ScrollContainer minWidth={340} className="surface">
      <Table highlightOnHover aria-busy={isOld}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.account}</Table.Th>
            <Table.Th>{words.plan}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {words.since}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.id}>
              <Table.Td>
                <Group gap="sm" wrap="nowrap">
                  <Avatar src={avatarSource(user.avatar_url)} alt="" size={28} />
                  <Stack gap={0} style={{ minWidth: 0 }}>
                    <Group gap={6}>
                      <Link to="/admin/users/$userId" params={{ userId: user.id }} className="plain">
                        <Text fw={600} size="sm">
                          {user.name}
                        </Text>
                      </Link>
                      <Marks user={user} />
                    </Group>
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {user.email}
                    </Text>
                  </Stack>
                </Group>
              </Table.Td>
              <Table.Td>{user.subscription.plan}</Table.Td>
              <Table.Td visibleFrom="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
                <Ago at={user.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

export function Marks({ user }: { user: AdminUser }) {
  const words = useWords(adminWords);
  return (
    <>
      {user.is_admin && (
        <Badge size="xs" variant="light">
          {words.admin}
        </Badge>
      )}
      {user.suspended && (
        <Badge size="xs" variant="filled" color="red.8">
          {words.suspended}
        </Badge>
      )}
      {!user.email_verified && (
        <Badge size="xs" variant="default">
          {words.unverified}
        </Badge>
      )}
    </>
  );
}
