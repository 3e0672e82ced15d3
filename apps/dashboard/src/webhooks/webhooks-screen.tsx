import { Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FilterSelect } from '../kit/filters.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { Page } from '../kit/page.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { WebhookTable } from './webhook-table.tsx';
import { webhooksWords } from './webhooks.words.ts';
import { pagesOf, webhooksQuery } from './webhooks-query.ts';
import type { WebhooksSearch } from './webhooks-search.ts';

const route = getRouteApi('/inside/webhooks');

/** The webhooks of the account, and of every project that the user manages. */
export function WebhooksScreen() {
  const words = useWords(webhooksWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const webhooks = useQuery(webhooksQuery(search));
  const { data } = webhooks;
  const change = (wanted: WebhooksSearch) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const isFiltered = (search.active ?? search.project) !== undefined;
  const newLink = (
    <ButtonLink to="/webhooks/new" leftSection={<IconPlus size={16} />}>
      {words.new}
    </ButtonLink>
  );
  return (
    <Page title={words.title} hint={words.hint} actions={newLink}>
      {(isFiltered || data?.webhooks.length !== 0) && <Filters search={search} change={change} />}
      <PagedList
        answer={webhooks}
        items={data?.webhooks}
        none={{ title: words.none, hint: words.noneHint }}
        clear={isFiltered && (() => change({ active: undefined, project: undefined }))}
        page={search.page}
        pages={pagesOf(data?.total ?? 0)}
        go={(page) => change({ page })}
      >
        {(rows) => <WebhookTable webhooks={rows} isOld={webhooks.isPlaceholderData} withProjects />}
      </PagedList>
    </Page>
  );
}

function Filters({ search, change }: { search: WebhooksSearch; change: (wanted: WebhooksSearch) => void }) {
  const words = useWords(webhooksWords);
  return (
    <Group mb="md" gap="xs">
      <FilterSelect
        label={words.state}
        any={words.any}
        value={search.active === undefined ? undefined : search.active ? 'on' : 'off'}
        options={{ on: words.active, off: words.inactive }}
        change={(state) => change({ active: state && state === 'on' })}
      />
      <FilterSelect
        label={words.sort}
        value={search.sort}
        options={{ created_at: words.created_at, updated_at: words.updated_at, name: words.byName }}
        change={(sort) => change({ sort })}
      />
    </Group>
  );
}
