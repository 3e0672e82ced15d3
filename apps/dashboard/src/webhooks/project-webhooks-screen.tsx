import { Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { AnchorLink, ButtonLink } from '../kit/links.tsx';
import { Content, Empty, useTitle } from '../kit/page.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { WebhookTable } from './webhook-table.tsx';
import { webhooksWords } from './webhooks.words.ts';
import { pagesOf, webhooksQuery } from './webhooks-query.ts';

const route = getRouteApi('/inside/projects/$projectId/webhooks');

export function ProjectWebhooksScreen() {
  const words = useWords(webhooksWords);
  const { projectId } = route.useParams();
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { manage } = useRights(project);
  const webhooks = useQuery({ ...webhooksQuery({ project: projectId, page }), enabled: manage });
  const { data } = webhooks;
  useTitle(`${words.title} · ${project.name}`);
  const newLink = (
    <ButtonLink to="/webhooks/new" search={{ project: projectId }} leftSection={<IconPlus size={16} />}>
      {words.new}
    </ButtonLink>
  );
  if (!manage) {
    return (
      <Content>
        <Empty title={words.notManaged} hint={words.notManagedHint} />
      </Content>
    );
  }
  return (
    <Content>
      <Group justify="space-between" mb="md" gap="xs">
        <Text size="sm" c="dimmed" maw={560}>
          {words.ofProjectHint}{' '}
          <AnchorLink to="/webhooks" size="sm" underline="always">
            {words.toAccount}
          </AnchorLink>
        </Text>
        {data?.webhooks.length !== 0 && newLink}
      </Group>
      <PagedList
        answer={webhooks}
        items={data?.webhooks}
        none={{ title: words.none, hint: words.noneHint, action: newLink }}
        page={page}
        pages={pagesOf(data?.total ?? 0)}
        go={(wanted) => void navigate({ search: { page: wanted } })}
      >
        {(rows) => <WebhookTable webhooks={rows} isOld={webhooks.isPlaceholderData} withProjects={false} />}
      </PagedList>
    </Content>
  );
}
