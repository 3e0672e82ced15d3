import './deployments.css';
import type { Deployment } from '@bottega/contract';
import { Box, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, useTitle } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { DeployDialog } from './deploy-dialog.tsx';
import { deploymentsWords } from './deployments.words.ts';
import { deploymentsQuery } from './deployments-query.ts';
import { type DeploymentsSearch, environments, statuses } from './deployments-search.ts';
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
  const isFiltered = search.environment !== undefined || search.status !== undefined;
  const deployLink = (
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
    <Box p="md" maw={1080} w="100%">
      {(isFiltered || data?.data.length !== 0) && (
        <Group justify="space-between" mb="md" gap="xs">
          <Filters search={search} change={change} />
          {rights.write && deployLink}
        </Group>
      )}
      <Refusal error={deployments.error} retry={deployments.refetch} />
      {deployments.isPending && <Loading />}
      {data?.data.length === 0 &&
        (isFiltered ? (
          <Empty title={words.noneFound} hint={words.noneFoundHint}>
            <Button variant="default" onClick={() => change({ environment: undefined, status: undefined })}>
              {words.clear}
            </Button>
          </Empty>
        ) : (
          <Empty title={words.none} hint={rights.write ? words.noneHint : words.noneHintReader}>
            {rights.write && deployLink}
          </Empty>
        ))}
      {data && data.data.length > 0 && (
        <DeploymentTable deployments={data.data} isOld={deployments.isPlaceholderData} />
      )}
      <Pager
        page={search.page ?? 1}
        pages={data?.pagination.total_pages ?? 0}
        go={(wanted) => change({ page: wanted })}
      />
      <DeployDialog
        project={project}
        isOpen={search.deploy === true && rights.write}
        close={() => change({ page: search.page, deploy: undefined })}
      />
    </Box>
  );
}

function Filters({ search, change }: { search: DeploymentsSearch; change: (wanted: DeploymentsSearch) => void }) {
  const words = useWords(deploymentsWords);
  return (
    <Group gap="xs">
      <NativeSelect
        aria-label={words.status}
        value={search.status ?? ''}
        onChange={({ currentTarget: { value } }) => change({ status: statuses.find((one) => one === value) })}
        data={[{ value: '', label: words.allStatuses }, ...statuses.map((value) => ({ value, label: words[value] }))]}
      />
      <NativeSelect
        aria-label={words.environment}
        value={search.environment ?? ''}
        onChange={({ currentTarget: { value } }) => change({ environment: environments.find((one) => one === value) })}
        data={[
          { value: '', label: words.allEnvironments },
          ...environments.map((value) => ({ value, label: words[value] })),
        ]}
      />
    </Group>
  );
}

function DeploymentTable({ deployments, isOld }: { deployments: Deployment[]; isOld: boolean }) {
  const words = useWords(deploymentsWords);
  return (
    <Table.ScrollContainer minWidth={330} className="surface">
      <Table highlightOnHover aria-busy={isOld}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.status}</Table.Th>
            <Table.Th>{words.commit}</Table.Th>
            <Table.Th visibleFrom="sm">{words.environment}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {words.took}
            </Table.Th>
            <Table.Th ta="right">{words.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deployments.map((deployment) => (
            <Row key={deployment.id} deployment={deployment} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ deployment }: { deployment: Deployment }) {
  const words = useWords(deploymentsWords);
  const { id, project_id: projectId, commit, branch, status, duration } = deployment;
  return (
    <Table.Tr>
      <Table.Td>
        <StatusLabel status={status} />
      </Table.Td>
      <Table.Td maw={420}>
        <Stack gap={0}>
          <Group gap={6} wrap="nowrap">
            <Link
              to="/projects/$projectId/deployments/$deploymentId"
              params={{ projectId, deploymentId: id }}
              className="plain"
              style={{ minWidth: 0 }}
            >
              <Text fw={600} size="sm" lineClamp={1}>
                {commit.message?.split('\n', 1)[0] || words.untitled}
              </Text>
            </Link>
            {deployment.is_live && <LiveBadge />}
          </Group>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {branch}
            {commit.sha && ` · ${commit.sha.slice(0, 8)}`}
            {commit.author && ` · ${commit.author}`}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">{words[deployment.environment]}</Table.Td>
      <Table.Td visibleFrom="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
        {duration !== null && words.seconds(duration)}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        <Ago at={deployment.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}
