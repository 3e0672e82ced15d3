import type { AdminUser } from '@bottega/contract';
import { Avatar, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { useSignedIn } from '../api/session.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { avatarSource } from '../kit/avatar-source.ts';
import { confirm } from '../kit/confirm.tsx';
import { CopyLine } from '../kit/copy-line.tsx';
import { DetailPage } from '../kit/detail-page.tsx';
import { AnchorLink, BackLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { toast } from '../kit/toast.ts';
import { inBytes } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { adminWords } from './admin.words.ts';
import { Rescue } from './rescue.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import { useAccountChange } from './use-account-change.ts';
import { adminUserQuery } from './user-query.ts';
import { Marks } from './users-screen.tsx';

const route = getRouteApi('/inside/admin/users/$userId');

export function UserScreen() {
  const words = useWords(adminWords);
  const { userId } = route.useParams();
  const answer = useQuery(adminUserQuery(userId));
  return (
    <DetailPage back={<BackLink to="/admin/users">{words.back}</BackLink>} answer={answer}>
      {(user) => (
        <div>
          <Who user={user} />
          <Section title={words.subscription}>
            <SubscriptionForm key={user.updated_at} user={user} />
          </Section>
          <Rights user={user} />
          <Rescue user={user} />
          <Access user={user} />
          <Happened userId={userId} />
        </div>
      )}
    </DetailPage>
  );
}

function Who({ user }: { user: AdminUser }) {
  const words = useWords(adminWords);
  const language = useLanguage();
  const { user: self } = useSignedIn();
  return (
    <Stack mb="xl" maw={560}>
      <Group gap="sm" wrap="nowrap">
        <Avatar src={avatarSource(user.avatar_url)} alt="" size={48} />
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Group gap={6}>
            <Text component="h2" fw={600} size="lg" m={0}>
              {user.name}
            </Text>
            <Marks user={user} />
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.username} · {user.email} · {words.since.toLowerCase()} <Ago at={user.created_at} />
          </Text>
        </Stack>
      </Group>
      {self.id === user.id && (
        <Text size="sm" fw={600}>
          {words.yourself}
        </Text>
      )}
      <Text size="sm">
        <AnchorLink to="/admin/projects" search={{ owner: user.id }}>
          {words.projectsOf(user.projects_count)}
        </AnchorLink>{' '}
        · {inBytes(user.stored_bytes, language)}
      </Text>
      <CopyLine label={words.id} value={user.id} />
    </Stack>
  );
}

function Rights({ user }: { user: AdminUser }) {
  const words = useWords(adminWords);
  const change = useAccountChange(user.id);
  const setAdmin = async (wanted: boolean) => {
    const question = { title: words.makeAdmin(user.name), hint: words.isAdminHint, yes: words.makeAdminYes };
    if (!wanted || (await confirm(question))) change.mutate({ is_admin: wanted });
  };
  return (
    <Section title={words.rights}>
      <Stack>
        <Switch
          label={words.isAdmin}
          description={words.isAdminHint}
          checked={user.is_admin}
          disabled={change.isPending}
          onChange={(event) => void setAdmin(event.currentTarget.checked)}
        />
        <Switch
          label={words.verified}
          description={words.verifiedHint}
          checked={user.email_verified}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ email_verified: event.currentTarget.checked })}
        />
      </Stack>
    </Section>
  );
}

function Access({ user }: { user: AdminUser }) {
  const words = useWords(adminWords);
  const change = useAccountChange(user.id, ({ suspended, name }) =>
    toast(suspended ? words.isSuspended(name) : words.isReinstated(name)),
  );
  const suspend = async () => {
    const question = { title: words.suspendTitle(user.name), hint: words.suspendHint, yes: words.suspend };
    if (await confirm({ ...question, isDangerous: true })) change.mutate({ suspended: true });
  };
  return (
    <Section title={words.access} hint={words.suspendHint}>
      {user.suspended ? (
        <Stack align="flex-start" gap="xs">
          {user.suspended_at && (
            <Text size="sm">
              {words.suspendedSince} <Ago at={user.suspended_at} />
            </Text>
          )}
          <Button onClick={() => change.mutate({ suspended: false })} loading={change.isPending}>
            {words.reinstate}
          </Button>
        </Stack>
      ) : (
        <Button color="red.8" onClick={() => void suspend()} loading={change.isPending}>
          {words.suspend}
        </Button>
      )}
    </Section>
  );
}

function Happened({ userId }: { userId: string }) {
  const words = useWords(adminWords);
  const log = useQuery({
    queryKey: ['admin', 'audit', { account: userId, limit: 8 }],
    queryFn: ({ signal }) => call('GET /admin/audit-log', { query: { account_id: userId, limit: 8 }, signal }),
  });
  return (
    <Section title={words.happened}>
      <Refusal error={log.error} retry={log.refetch} />
      {log.isPending && <Loading lines={3} />}
      {log.data && <AuditTable entries={log.data.data} />}
      <AnchorLink to="/admin/audit" search={{ account: userId }} size="sm" mt="xs" display="inline-block">
        {words.allHappened}
      </AnchorLink>
    </Section>
  );
}
