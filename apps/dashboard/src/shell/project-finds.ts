import type { Deployment, File, MergeRequest, ProjectDetail } from '@bottega/contract';
import { IconFile, IconGitBranch, IconGitCommit, IconGitPullRequest, IconRocket, IconUser } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call, nullAt } from '../api/client.ts';
import { requestsKey } from '../api/merge-request.ts';
import { filesQuery, placeOf } from '../api/project.ts';
import { collaboratorsQuery, useRights } from '../api/rights.ts';
import { branchesQuery } from '../branches/branches-query.ts';
import { useShownRef } from '../branches/shown-ref.ts';
import { useShowing } from '../branches/start-branch.tsx';
import { deploymentsWords } from '../deployments/deployments.words.ts';
import { deploymentsKey } from '../deployments/deployments-query.ts';
import { environmentName } from '../kit/environments.ts';
import { projectWords } from '../project/project.words.ts';
import { useWords } from '../words/words.tsx';
import type { Finds } from './general-choices.ts';
import { paletteWords } from './palette.words.ts';
import type { Choice } from './palette-search.ts';

type Found = { choices: Choice[]; isPending: boolean };

/**
 * Everything in the project that has a name: all files and branches, and the newest hundred items of each list without
 * a limit. Nothing is requested before the user types.
 */
export function useProjectFinds(project: ProjectDetail, typed: string): Finds {
  const words = useWords(projectWords);
  const palette = useWords(paletteWords);
  const isAsked = typed.trim() !== '';
  const finds: [heading: string, found: Found][] = [
    [words.files, useFiles(project.id, isAsked)],
    [words.branches, useBranches(project.id, isAsked)],
    [words['merge-requests'], useRequests(project.id, isAsked)],
    [words.deployments, useDeployments(project, isAsked)],
    [palette.commits, useCommits(project.id, typed.trim(), isAsked)],
    [words.people, usePeople(project, isAsked)],
  ];
  return {
    groups: isAsked ? finds.map(([heading, { choices }]) => ({ heading, choices })) : [],
    isComplete: !isAsked || finds.every(([, { isPending }]) => !isPending),
  };
}

const onlyFiles = (entries: File[]): File[] =>
  entries.filter(({ type }) => type === 'file').toSorted((one, other) => one.path.length - other.path.length);

function useFiles(projectId: string, enabled: boolean): Found {
  const navigate = useNavigate();
  const ref = useShownRef();
  const { data = [], isLoading } = useQuery({ ...filesQuery(placeOf(projectId, ref)), select: onlyFiles, enabled });
  // Memoized, because there may be ten thousand files.
  const choices = useMemo(
    () =>
      data.map(({ path, name }) => ({
        id: `file-${path}`,
        label: name,
        description: path,
        icon: IconFile,
        choose: () => void navigate({ to: '/projects/$projectId/files', params: { projectId }, search: { ref, path } }),
      })),
    [data, navigate, projectId, ref],
  );
  return { choices, isPending: isLoading };
}

function useBranches(projectId: string, enabled: boolean): Found {
  const show = useShowing(projectId, useShownRef() ?? 'main');
  const { data = [], isLoading } = useQuery({ ...branchesQuery(projectId), enabled });
  const choices = data.map(({ name }) => ({
    id: `branch-${name}`,
    label: name,
    icon: IconGitBranch,
    choose: () => void show(name),
  }));
  return { choices, isPending: isLoading };
}

const newestRequestsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'newest'],
    queryFn: async ({ signal }): Promise<MergeRequest[]> => {
      const asked = { params: { project_id: projectId }, query: { limit: 100 }, signal };
      return (await call('GET /projects/{project_id}/merge-requests', asked)).data;
    },
  });

function useRequests(projectId: string, enabled: boolean): Found {
  const navigate = useNavigate();
  const { data = [], isLoading } = useQuery({ ...newestRequestsQuery(projectId), enabled });
  const choices = data.map(({ number, title, source, target }) => ({
    id: `request-${number}`,
    label: title,
    description: `!${number} · ${source} → ${target}`,
    icon: IconGitPullRequest,
    choose: () =>
      void navigate({
        to: '/projects/$projectId/merge-requests/$number',
        params: { projectId, number: String(number) },
      }),
  }));
  return { choices, isPending: isLoading };
}

const newestDeploymentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), 'newest'],
    queryFn: async ({ signal }): Promise<Deployment[]> => {
      const asked = { params: { project_id: projectId }, query: { limit: 100 }, signal };
      return (await call('GET /projects/{project_id}/deployments', asked)).data;
    },
  });

function useDeployments(project: ProjectDetail, isAsked: boolean): Found {
  const words = useWords(deploymentsWords);
  const navigate = useNavigate();
  const { isMember } = useRights(project);
  const { data = [], isLoading } = useQuery({ ...newestDeploymentsQuery(project.id), enabled: isAsked && isMember });
  const choices = data.map(({ id, commit, environment, branch, status }) => ({
    id,
    label: commit.message?.split('\n', 1)[0] || words.untitled,
    description: `${environmentName(words, environment)} · ${branch} · ${words[status]} · ${id}`,
    icon: IconRocket,
    choose: () =>
      void navigate({
        to: '/projects/$projectId/deployments/$deploymentId',
        params: { projectId: project.id, deploymentId: id },
      }),
  }));
  return { choices, isPending: isLoading };
}

const newestCommitsQuery = (projectId: string, ref: string | undefined) =>
  queryOptions({
    queryKey: ['projects', projectId, 'commits', 'newest', ref ?? 'main'],
    queryFn: async ({ signal }) => {
      const asked = { params: { project_id: projectId }, query: { limit: 100, ref }, signal };
      return (await call('GET /projects/{project_id}/commits', asked)).data;
    },
  });

/** An older commit is found by its id. */
const commitQuery = (projectId: string, sha: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'commits', sha, 'head'],
    queryFn: ({ signal }) => {
      const asked = { params: { project_id: projectId, sha }, query: { diffs: 0 }, signal };
      return call('GET /projects/{project_id}/commits/{sha}', asked).catch(nullAt(404));
    },
  });

function useCommits(projectId: string, typed: string, enabled: boolean): Found {
  const navigate = useNavigate();
  const newest = useQuery({ ...newestCommitsQuery(projectId, useShownRef()), enabled });
  const isSha = /^[0-9a-f]{7,40}$/i.test(typed);
  const named = useQuery({ ...commitQuery(projectId, typed.toLowerCase()), enabled: isSha });
  const known = newest.data ?? [];
  const other = isSha && named.data && known.every(({ sha }) => sha !== named.data?.sha) ? [named.data] : [];
  const choices = [...known, ...other].map(({ sha, message, author }) => ({
    id: `commit-${sha}`,
    label: message.split('\n', 1)[0] ?? sha,
    description: `${author.name} · ${sha}`,
    icon: IconGitCommit,
    choose: () => void navigate({ to: '/projects/$projectId/history/$sha', params: { projectId, sha } }),
  }));
  return { choices, isPending: newest.isLoading || named.isLoading };
}

function usePeople({ id: projectId, owner }: ProjectDetail, enabled: boolean): Found {
  const navigate = useNavigate();
  const { data = [], isLoading } = useQuery({ ...collaboratorsQuery(projectId), enabled });
  const people = [owner, ...data.map(({ user, id }) => ({ id, name: user.name ?? user.email, email: user.email }))];
  const choices = people.map(({ id, name, email }) => ({
    id: `person-${id}`,
    label: name,
    description: email,
    icon: IconUser,
    choose: () => void navigate({ to: '/projects/$projectId/people', params: { projectId } }),
  }));
  return { choices, isPending: isLoading };
}
