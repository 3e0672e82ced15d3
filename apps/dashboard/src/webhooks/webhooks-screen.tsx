import { Button, Group, NativeSelect } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, Page } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { WebhookTable } from './webhook-table.tsx';
import { webhooksWords } from './webhooks.words.ts';
import { pagesOf, webhooksQuery } from './webhooks-query.ts';
import type { WebhooksSearch } from './webhooks-search.ts';

const route = getRouteApi('/inside/webhooks');

/** Those of the account, and those of every project that one manages. */
export function WebhooksScreen() {
  const words = useWords(webhooksWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const webhooks = useQuery(webhooksQuery(search));
  const { data } = webhooks;
  const change = (wanted: WebhooksSearch) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const isFiltered = search.active !== undefined || search.project !== undefined;
  const newLink = (
    <ButtonLink to="/webhooks/new" leftSection={<IconPlus size={16} />}>
      {words.new}
    </ButtonLink>
  );
  return (
    <Page title={words.title} hint={words.hint} actions={newLink}>
      {(isFiltered || data?.webhooks.length !== 0) && <Filters search={search} change={change} />}
      <Refusal error={webhooks.error} retry={webhooks.refetch} />
      {webhooks.isPending && <Loading />}
      {data?.webhooks.length === 0 &&
        (isFiltered ? (
          <Empty title={words.noneFound} hint={words.noneFoundHint}>
            <Button variant="default" onClick={() => change({ active: undefined, project: undefined })}>
              {words.clear}
            </Button>
          </Empty>
        ) : (
          <Empty title={words.none} hint={words.noneHint} />
        ))}
      {data && data.webhooks.length > 0 && (
        <WebhookTable webhooks={data.webhooks} isOld={webhooks.isPlaceholderData} withProjects />
      )}
      <Pager page={search.page ?? 1} pages={pagesOf(data?.total ?? 0)} go={(wanted) => change({ page: wanted })} />
    </Page>
  );
}

function Filters({ search, change }: { search: WebhooksSearch; change: (wanted: WebhooksSearch) => void }) {
  const words = useWords(webhooksWords);
  return (
    <Group mb="md" gap="xs">
      <NativeSelect
        aria-label={words.state}
        value={search.active === undefined ? '' : String(search.active)}
        onChange={({ currentTarget: { value } }) => change({ active: value === '' ? undefined : value === 'true' })}
        data={[
          { value: '', label: words.any },
          { value: 'true', label: words.active },
          { value: 'false', label: words.inactive },
        ]}
      />
      <NativeSelect
        aria-label={words.sort}
        value={search.sort ?? 'created_at'}
        onChange={({ currentTarget: { value } }) =>
          change({ sort: value === 'created_at' ? undefined : (value as WebhooksSearch['sort']) })
        }
        data={[
          { value: 'created_at', label: words.created_at },
          { value: 'updated_at', label: words.updated_at },
          { value: 'name', label: words.byName },
        ]}
      />
    </Group>
  );
}
