import type { AdminUser } from '@bottega/contract';
import { Avatar, Badge, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { avatarSource } from '../kit/avatar-source.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { FilterSelect } from '../kit/filters.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { inBytes } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { adminWords } from './admin.words.ts';
import type { UserSearch } from './admin-search.ts';
import { NewAccountButton } from './new-account.tsx';

const route = getRouteApi('/inside/admin/users');

export function UsersScreen() {
  const words = useWords(adminWords);
  const language = useLanguage();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, plan, only, page = 1 } = search;
  const change = (wanted: UserSearch) => void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const users = useQuery({
    queryKey: ['admin', 'users', 'list', { q, plan, only, page }],
    queryFn: ({ signal }) =>
      call('GET /admin/users', {
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
  const columns: Column<AdminUser>[] = [
    { name: words.account, cell: (user) => <Account user={user} /> },
    { name: words.plan, cell: ({ subscription }) => subscription.plan },
    {
      name: words.storage,
      cell: (user) => inBytes(user.stored_bytes, language),
      visibleFrom: 'sm',
      ta: 'right',
    },
    { name: words.since, cell: (user) => <Ago at={user.created_at} />, visibleFrom: 'sm', ta: 'right' },
  ];
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Filters search={search} change={change} />
        <NewAccountButton />
      </Group>
      <PagedList
        answer={users}
        items={users.data?.data}
        none={{ title: words.nobody, hint: words.nobodyHint }}
        clear={() => change({ q: undefined, plan: undefined, only: undefined })}
        count={users.data && words.count(users.data.pagination.total)}
        page={page}
        pages={users.data?.pagination.total_pages}
        go={(wanted) => change({ page: wanted })}
      >
        {(rows) => <DataTable rows={rows} columns={columns} keyOf={({ id }) => id} isOld={users.isPlaceholderData} />}
      </PagedList>
    </>
  );
}

function Filters({ search, change }: { search: UserSearch; change: (wanted: UserSearch) => void }) {
  const words = useWords(adminWords);
  return (
    <Group gap="xs" mb="md">
      <SearchField label={words.search} value={search.q} seek={(q) => change({ q })} />
      <FilterSelect
        label={words.plan}
        any={words.anyPlan}
        value={search.plan}
        options={{ free: 'free', pro: 'pro', enterprise: 'enterprise' }}
        change={(plan) => change({ plan })}
      />
      <FilterSelect
        label={words.only}
        any={words.everybody}
        value={search.only}
        options={{ admins: words.onlyAdmins, suspended: words.onlySuspended }}
        change={(only) => change({ only })}
      />
    </Group>
  );
}

function Account({ user }: { user: AdminUser }) {
  return (
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
