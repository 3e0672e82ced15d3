import './deployments.css';
import type { Deployment } from '@bottega/contract';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink, IconRocket } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { environmentName } from '../kit/environments.ts';
import { FilterSelect } from '../kit/filters.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { withoutScheme } from '../kit/without-scheme.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { DeployDialog } from './deploy-dialog.tsx';
import { deploymentsWords } from './deployments.words.ts';
import { deploymentsQuery } from './deployments-query.ts';
import type { DeploymentsSearch } from './deployments-search.ts';
import { LiveBadge, StatusLabel } from './status-label.tsx';

const route = getRouteApi('/inside/projects/$projectId/deployments');

export function DeploymentsScreen() {
  const words = useWords(deploymentsWords);
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const rights = useRights(project);
  const deployments = useQuery(deploymentsQuery(projectId, search));
  useTitle(`${words.title} · ${project.name}`);
  const change = (wanted: DeploymentsSearch) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const { data } = deployments;
  const isFiltered = (search.environment ?? search.status) !== undefined;
  const deployLink = rights.write && (
    <ButtonLink
      to="/projects/$projectId/deployments"
      params={{ projectId }}
      search={{ ...search, deploy: true }}
      leftSection={<IconRocket size={16} />}
    >
      {words.deploy}
    </ButtonLink>
  );
  return (
    <Content>
      {(isFiltered || data?.data.length !== 0) && (
        <Group justify="space-between" mb="md" gap="xs">
          <Filters search={search} change={change} />
          {deployLink}
        </Group>
      )}
      <PagedList
        answer={deployments}
        items={data?.data}
        none={{
          title: words.none,
          hint: rights.write ? words.noneHint : words.noneHintReader,
          action: rights.write && (
            <Stack align="center">
              {deployLink}
              <CopyLine label={words.command} value="btg deploy" />
            </Stack>
          ),
        }}
        clear={isFiltered && (() => change({ environment: undefined, status: undefined }))}
        page={search.page}
        pages={data?.pagination.total_pages}
        go={(page) => change({ page })}
      >
        {(rows) => (
          <DeploymentTable deployments={rows} liveUrl={project.live_url} isOld={deployments.isPlaceholderData} />
        )}
      </PagedList>
      <DeployDialog
        project={project}
        isOpen={search.deploy === true && rights.write}
        close={() => change({ page: search.page, deploy: undefined })}
      />
    </Content>
  );
}

function Filters({ search, change }: { search: DeploymentsSearch; change: (wanted: DeploymentsSearch) => void }) {
  const words = useWords(deploymentsWords);
  const { pending, building, success, failed, canceled, production, preview, development } = words;
  const other: Record<string, string> = search.environment ? { [search.environment]: search.environment } : {};
  return (
    <Group gap="xs">
      <FilterSelect
        label={words.status}
        any={words.allStatuses}
        value={search.status}
        options={{ pending, building, success, failed, canceled }}
        change={(status) => change({ status })}
      />
      <FilterSelect
        label={words.environment}
        any={words.allEnvironments}
        value={search.environment}
        options={{ ...other, production, preview, development }}
        change={(environment) => change({ environment })}
      />
    </Group>
  );
}

type TableProps = { deployments: readonly Deployment[]; liveUrl: string | null; isOld: boolean };

function DeploymentTable({ deployments, liveUrl, isOld }: TableProps) {
  const words = useWords(deploymentsWords);
  const columns: Column<Deployment>[] = [
    { name: words.status, cell: (deployment) => <StatusLabel deployment={deployment} /> },
    { name: words.commit, cell: (deployment) => <CommitLine deployment={deployment} />, maw: 420 },
    {
      name: words.environment,
      cell: (deployment) => <Shown deployment={deployment} liveUrl={liveUrl} />,
      visibleFrom: 'sm',
    },
    {
      name: words.took,
      cell: ({ duration }) => duration !== null && words.seconds(duration),
      visibleFrom: 'sm',
      ta: 'right',
    },
    { name: words.when, cell: (deployment) => <Ago at={deployment.created_at} />, ta: 'right' },
  ];
  return <DataTable rows={deployments} columns={columns} keyOf={({ id }) => id} isOld={isOld} />;
}

/** Shows the environment, with a link to where it can be seen: live, on its branch, or at the deployment's own address. */
function Shown({ deployment, liveUrl }: { deployment: Deployment; liveUrl: string | null }) {
  const words = useWords(deploymentsWords);
  const { environment, branch, branch_url, is_live, url, commit } = deployment;
  const name = environmentName(words, environment);
  const address = (is_live && liveUrl) || branch_url || url;
  if (!address) return name;
  const label =
    address === branch_url ? words.openBranch(name, branch) : words.openThis(name, titleOf(commit) || words.untitled);
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" size="sm" aria-label={label} title={withoutScheme(address)}>
      {name} <IconExternalLink size={12} aria-hidden />
    </Anchor>
  );
}

const titleOf = ({ message }: Deployment['commit']): string | undefined => message?.split('\n', 1)[0];

function CommitLine({
  deployment: { id, project_id: projectId, commit, branch, environment, is_live },
}: {
  deployment: Deployment;
}) {
  const words = useWords(deploymentsWords);
  return (
    <Stack gap={0}>
      <Group gap={6} wrap="nowrap">
        <Link
          to="/projects/$projectId/deployments/$deploymentId"
          params={{ projectId, deploymentId: id }}
          className="plain"
          style={{ minWidth: 0 }}
        >
          <Text fw={600} size="sm" lineClamp={1}>
            {titleOf(commit) || words.untitled}
          </Text>
        </Link>
        {is_live && <LiveBadge />}
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2}>
        <Text span inherit hiddenFrom="sm">
          {environmentName(words, environment)}
          {' · '}
        </Text>
        {branch}
        {commit.sha && ` · ${commit.sha.slice(0, 8)}`}
        {commit.author && ` · ${commit.author}`}
      </Text>
    </Stack>
  );
}
