import './first-styles.css';
import '../shell/later-styles.css';
import type { ProjectDetail } from '@bottega/contract';
import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconChevronDown, IconDownload, IconGitBranch } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { afterContent } from '../api/after-content.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { useShownRef } from '../branches/shown-ref.ts';
import { OutsideLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Content, Empty, useTitle } from '../kit/page.tsx';
import { ProjectIcon } from '../kit/project-icon.tsx';
import { SectionPanel, SectionTabs, useSection } from '../kit/sections.tsx';
import { StarButton } from '../kit/star-button.tsx';
import { useWords } from '../words/words.tsx';
import { projectWords } from './project.words.ts';

// Menus are a third of the code of a project, and nobody opens one before the content is there.
const loadMenus = () => afterContent(() => import('./heading-menus.tsx'));
const BranchSwitcher = lazy(async () => ({ default: (await loadMenus()).BranchSwitcher }));
const CloneButton = lazy(async () => ({ default: (await loadMenus()).CloneButton }));
const ImportProgress = lazy(async () => ({
  default: (await import('../projects/import-progress.tsx')).ImportProgress,
}));

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
  'settings',
  'webhooks',
  'connect',
] as const;
type Section = (typeof sections)[number];

/** Sections that belong together have one entry in the navigation. It leads to the first of them. */
const groups = {
  overview: ['overview'],
  code: ['files', 'history', 'branches'],
  'merge-requests': ['merge-requests'],
  deployments: ['deployments', 'domains'],
  people: ['people'],
  settings: ['settings', 'webhooks', 'connect'],
} as const satisfies Record<string, readonly Section[]>;
type GroupName = keyof typeof groups;

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
  const isVisible = (name: Section) => isMember || !ofMembers.has(name);
  const groupNames = (Object.keys(groups) as GroupName[]).filter((name) => groups[name].some(isVisible));
  const group = groupNames.find((name) => groups[name].some((one) => one === section));
  const inner = group ? groups[group].filter(isVisible) : [];
  const go = (name: Section) => {
    const params = { projectId };
    // Files and history stay on their branch.
    if (name === 'files') void navigate({ to: '/projects/$projectId/files', params, search: { ref } });
    else if (name === 'history') void navigate({ to: '/projects/$projectId/history', params, search: { ref } });
    else void navigate({ to: `/projects/$projectId/${name}`, params });
  };
  const isShown = isVisible(section);
  // Different words for sections that otherwise have the same name as their group.
  const { innerSections, allDeployments, general } = words;
  const innerWords = { ...words, sections: innerSections, deployments: allDeployments, settings: general };
  return (
    <Stack className="project" gap={0} mih="calc(100dvh - var(--bar))">
      <Heading project={project} />
      <div className="project-sections">
        <SectionTabs
          names={groupNames}
          section={isShown && group ? group : null}
          words={words}
          go={(name) => go(groups[name].find(isVisible) ?? 'overview')}
        />
        {isShown && inner.length > 1 && (
          <SectionTabs names={inner} section={section} words={innerWords} go={go} isInner />
        )}
      </div>
      {project.status === 'archived' && (
        <Alert color="yellow" variant="light" radius={0} py={8}>
          <Text size="sm">{words.archivedHint}</Text>
        </Alert>
      )}
      {isMember && project.repository && project.repository.status !== 'idle' && (
        <Content>
          <Suspense fallback={<Loading lines={2} />}>
            <ImportProgress projectId={projectId} />
          </Suspense>
        </Content>
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
    <Content>
      <Empty title={words.forMembers} hint={words.forMembersHint} />
    </Content>
  );
}

function Heading({ project }: { project: ProjectDetail }) {
  const words = useWords(projectWords);
  const branch = useShownRef() ?? 'main';
  const isGit = project.settings.version_control;
  return (
    <Group className="project-heading" justify="space-between" gap="xs">
      <Group gap="xs" miw={0}>
        <ProjectIcon id={project.id} size={24} />
        <Title order={1} className="project-name" title={project.name}>
          {project.name}
        </Title>
        <StarButton project={project} />
        {project.status === 'archived' && <Badge variant="default">{words.archived}</Badge>}
        {project.settings.public && <Badge variant="default">{words.public}</Badge>}
        {isGit && (
          <Suspense
            fallback={
              <Arriving icon={<IconGitBranch {...small} />} end={<IconChevronDown {...small} />} word={branch} />
            }
          >
            <BranchSwitcher project={project} />
          </Suspense>
        )}
      </Group>
      <Group gap="xs">
        {project.live_url && (
          <OutsideLink href={project.live_url} variant="default">
            {words.live}
          </OutsideLink>
        )}
        <Suspense
          fallback={<Arriving icon={<IconDownload {...small} />} word={isGit ? words.clone : words.download} />}
        >
          <CloneButton project={project} />
        </Suspense>
      </Group>
    </Group>
  );
}

const small = { size: 14, 'aria-hidden': true };

/** Takes the place of a button whose code is still loading, so that nothing moves when the button appears. */
function Arriving({ icon, end, word }: { icon: ReactNode; end?: ReactNode; word: string }) {
  return (
    <Button component="span" size="xs" variant="default" maw={220} leftSection={icon} rightSection={end} aria-hidden>
      {word}
    </Button>
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
