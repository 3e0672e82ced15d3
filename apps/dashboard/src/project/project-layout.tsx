import type { ProjectDetail } from '@bottega/contract';
import { Alert, Badge, Box, Button, Group, Popover, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconGitBranch } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { linkTo } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { BranchSwitcher } from '../branches/branch-switcher.tsx';
import { useShownRef } from '../branches/shown-ref.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { AnchorLink, OutsideLink } from '../kit/links.tsx';
import { Empty, useTitle } from '../kit/page.tsx';
import { ProjectIcon } from '../kit/project-icon.tsx';
import { SectionPanel, SectionTabs, useSection } from '../kit/sections.tsx';
import { StarButton } from '../kit/star-button.tsx';
import { ImportProgress } from '../projects/import-progress.tsx';
import { useWords } from '../words/words.tsx';
import { projectWords } from './project.words.ts';

const route = getRouteApi('/inside/projects/$projectId');
const sections = [
  'overview',
  'files',
  'history',
  'branches',
  'merge-requests',
  'deployments',
  'domains',
  'people',
  'webhooks',
  'connect',
  'settings',
] as const;

/** Sections that are hidden from users who are not members of a public project. */
const ofMembers: ReadonlySet<string> = new Set(['deployments', 'domains', 'webhooks']);

/** The frame of every screen of a project: its name, its sections, how to clone it. */
export function ProjectLayout() {
  const words = useWords(projectWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  useRefreshAfterImport(projectId, project.repository?.status);
  const navigate = useNavigate();
  const section = useSection(sections, 3);
  const { isMember } = useRights(project);
  const ref = useShownRef();
  const names = sections.filter((name) => isMember || !ofMembers.has(name));
  const isShown = names.includes(section);
  return (
    <Stack className="project" gap={0} mih="calc(100dvh - 48px)">
      <Heading project={project} />
      <SectionTabs
        names={names}
        section={isShown ? section : null}
        words={words}
        go={(name) => {
          const params = { projectId };
          // Files and history stay on their branch.
          if (name === 'files') void navigate({ to: '/projects/$projectId/files', params, search: { ref } });
          else if (name === 'history') void navigate({ to: '/projects/$projectId/history', params, search: { ref } });
          else void navigate({ to: `/projects/$projectId/${name}`, params });
        }}
        px="md"
        mt={4}
      />
      {project.status === 'archived' && (
        <Alert color="yellow" variant="light" radius={0} py={8}>
          <Text size="sm">{words.archivedHint}</Text>
        </Alert>
      )}
      {isMember && project.repository && project.repository.status !== 'idle' && (
        <Box p="md">
          <ImportProgress projectId={projectId} />
        </Box>
      )}
      <SectionPanel label={words[section]} flex={1}>
        {isShown ? null : <ForMembers title={`${words[section]} · ${project.name}`} />}
      </SectionPanel>
    </Stack>
  );
}

function ForMembers({ title }: { title: string }) {
  const words = useWords(projectWords);
  useTitle(title);
  return (
    <Box p="md">
      <Empty title={words.forMembers} hint={words.forMembersHint} />
    </Box>
  );
}

function Heading({ project }: { project: ProjectDetail }) {
  const words = useWords(projectWords);
  const ref = useShownRef();
  return (
    <Group className="project-heading" px="md" pt="sm" justify="space-between" gap="xs">
      <Group gap="xs" miw={0}>
        <ProjectIcon id={project.id} size={24} />
        <Title order={1} className="project-name" title={project.name}>
          {project.name}
        </Title>
        <StarButton project={project} />
        {project.status === 'archived' && <Badge variant="default">{words.archived}</Badge>}
        {project.settings.public && <Badge variant="default">{words.public}</Badge>}
        {project.settings.version_control && <BranchSwitcher project={project} />}
      </Group>
      <Group gap="xs">
        {project.live_url && (
          <OutsideLink href={project.live_url} variant="default">
            {words.live}
          </OutsideLink>
        )}
        {project.settings.version_control && <CloneButton projectId={project.id} />}
        <Button
          component="a"
          href={linkTo('GET /projects/{project_id}/archive', { params: { project_id: project.id }, query: { ref } })}
          download
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          {words.archive}
        </Button>
      </Group>
    </Group>
  );
}

/** Reloads the files and commits that an import has added, because the screens have already requested them. */
function useRefreshAfterImport(projectId: string, status: string | undefined): void {
  const client = useQueryClient();
  const former = useRef(status);
  useEffect(() => {
    // If the import is short, the page may not see the state in between.
    if (former.current !== 'idle' && status === 'idle') {
      client.invalidateQueries({ queryKey: ['projects', projectId] });
    }
    former.current = status;
  }, [client, projectId, status]);
}

function CloneButton({ projectId }: { projectId: string }) {
  const words = useWords(projectWords);
  return (
    <Popover position="bottom-end" width={360} trapFocus shadow="md">
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconGitBranch size={14} />}>
          {words.clone}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <CopyLine label={words.address} value={`${window.location.origin}/git/${projectId}.git`} />
          <Text size="xs" c="dimmed">
            {words.cloneHint}
          </Text>
          <AnchorLink to="/settings/keys" size="sm">
            {words.makeKey}
          </AnchorLink>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
