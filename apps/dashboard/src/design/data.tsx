import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../kit/card.tsx';
import { CopyLine } from '../kit/copy-line.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { DayChart } from '../kit/day-chart.tsx';
import { DetailHeading, DetailPage } from '../kit/detail-page.tsx';
import { Facts } from '../kit/facts.tsx';
import { BackLink } from '../kit/links.tsx';
import { Markdown } from '../kit/markdown.tsx';
import { Marks } from '../kit/marks.tsx';
import { withMentions } from '../kit/mentioned.tsx';
import { Near } from '../kit/near.tsx';
import { OutsideAddress } from '../kit/outside-address.tsx';
import { Page } from '../kit/page.tsx';
import { PagedList, Rows } from '../kit/paged-list.tsx';
import { ProjectIcon } from '../kit/project-icon.tsx';
import { ProjectName } from '../kit/project-name.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { UsageHistory } from '../kit/usage-history.tsx';

const project = { id: 'prj_sample', name: 'A shop for bread' };
const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const;
const answer = { data: [project], error: null, isPending: false, refetch: () => undefined };
const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 5, index + 1)).toISOString().slice(0, 10),
  value: (index * 7) % 23,
}));
const usage = days.map(({ date, value }) => ({
  date,
  ...{ build_seconds: value * 60, workspace_seconds: value * 90, deployments: value },
  ...{ stored_bytes: value * 1_000_000, projects: 3 },
}));

/** Parts that show data. */
export const data: Record<string, () => ReactNode> = {
  'card.tsx': () => (
    <Card title="Latest deployments" action={{ to: '/projects' }} actionWord="All">
      <Text size="sm">What a screen says about one of its topics.</Text>
    </Card>
  ),
  'copy-line.tsx': () => <CopyLine value="btg login http://localhost:3000" label="Command" isNamed />,
  'data-table.tsx': () => (
    <DataTable
      rows={statuses}
      keyOf={(status) => status}
      label="Deployments"
      columns={[
        { name: 'Status', cell: (status) => status },
        { name: 'Time', cell: () => '12 s', ta: 'right' },
      ]}
    />
  ),
  'day-chart.tsx': () => <DayChart title="Deployments" summary="330 in all" days={days} show={String} />,
  'detail-page.tsx': () => (
    <DetailPage back={<BackLink to="/projects">Projects</BackLink>} answer={answer}>
      {() => <DetailHeading title="dep_sample" status={<Text size="sm">Live</Text>} />}
    </DetailPage>
  ),
  'facts.tsx': () => <Facts values={{ Branch: 'main', Commit: '3f2a9c1' }} />,
  'markdown.tsx': () => (
    <Markdown
      text={'## A heading\n\nA text with `code`, a [link](README.md) and a list:\n\n- one\n- two\n\n> A quote.'}
      path="/README.md"
      fileLink={() => undefined}
      pictureLink={() => undefined}
    />
  ),
  'marks.tsx': () => (
    <Group gap={6}>
      <Marks marks={['public', 'archived']} />
    </Group>
  ),
  'mentioned.tsx': () => <Text size="sm">{withMentions('Ask @ada first.')}</Text>,
  'near.tsx': () => <Near estimate={20}>{() => <Text size="sm">Only there while somebody is near.</Text>}</Near>,
  'outside-address.tsx': () => <OutsideAddress url="https://shop.example.com" label="Address" isNamed />,
  'page.tsx': () => (
    <Page title="A screen" hint="What it is for" width="text">
      <Text size="sm">Its content</Text>
    </Page>
  ),
  'paged-list.tsx': () => (
    <PagedList
      {...{ answer, page: 2, pages: 3, go: () => undefined, count: '1 project' }}
      items={answer.data}
      none={{ title: 'No projects', hint: 'Begin with one.' }}
    >
      {(items) => (
        <Rows>
          {items.map(({ id, name }) => (
            <Text key={id} size="sm" p="sm">
              {name}
            </Text>
          ))}
        </Rows>
      )}
    </PagedList>
  ),
  'project-icon.tsx': () => (
    <Group>
      {['a', 'b', 'c', 'd'].map((id) => (
        <ProjectIcon key={id} id={id} size={28} />
      ))}
    </Group>
  ),
  'project-name.tsx': () => (
    <ProjectName project={project} marks={['public']}>
      Changed an hour ago
    </ProjectName>
  ),
  'status-icon.tsx': () => (
    <Group>
      {statuses.map((status) => (
        <StatusIcon key={status} status={status} />
      ))}
    </Group>
  ),
  'usage-history.tsx': () => <UsageHistory queryKey={['usage']} read={async () => ({ data: usage })} />,
};
