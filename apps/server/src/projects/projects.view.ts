import { codedAs, importReasons, type Project, type ProjectDetail, type ProjectListItem } from '@bottega/contract';
import { isMember } from './access/index.ts';
import type { ListedProjectRow } from './projects.listing.sql.ts';
import type { PublicProjectRow } from './projects.public.sql.ts';
import type { ProjectDetailRow, ShownProject } from './projects.sql.ts';

/**
 * Returns the address of an app, given the first label of its host. The rest of the address is known only to the
 * listener for apps.
 */
export type AppUrl = (name: string) => string;

export function asProject(row: ShownProject): Project {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    owner: { id: row.owner_id, name: row.owner_name, username: row.owner_username, email: row.owner_email },
    settings: {
      public: row.public,
      collaboration_enabled: row.collaboration_enabled,
      auto_save: row.auto_save,
      version_control: row.version_control,
      auto_deploy: row.auto_deploy,
      auto_preview: row.auto_preview ?? row.auto_deploy,
    },
    repository:
      row.repository_url === null
        ? null
        : {
            url: row.repository_url,
            branch: row.repository_branch ?? 'main',
            last_sync: row.repository_last_sync?.toISOString() ?? null,
            status: row.repository_status,
            error: row.repository_error,
            ...codedAs('error', importReasons, row.repository_error),
          },
    template_id: row.template_id,
    forked_from: row.forked_from,
  };
}

/**
 * Hides some fields from a reader who is not a member. Such a reader sees the names of people, but not their email
 * addresses or the usernames that are made from these. They see the address of the repository, but no errors of
 * fetching from it.
 */
const asSeenBy = <Shown extends Project>(project: Shown, row: Parameters<typeof isMember>[0], userId: string): Shown =>
  isMember(row, userId)
    ? project
    : {
        ...project,
        owner: { ...project.owner, username: '', email: '' },
        repository: project.repository && {
          ...project.repository,
          error: null,
          ...codedAs('error', importReasons, null),
        },
      };

export function asProjectDetail(row: ProjectDetailRow, userId: string, appUrl: AppUrl): ProjectDetail {
  const seesAddresses = isMember(row, userId);
  const collaborators = row.collaborators.map((one) => ({
    ...one,
    email: seesAddresses ? one.email : '',
    joined_at: one.joined_at === null ? null : new Date(one.joined_at).toISOString(),
  }));
  return { ...asSeenBy(asProject(row), row, userId), collaborators, live_url: liveUrlOf(row, appUrl) };
}

const liveUrlOf = ({ live_deployment_id, app_name }: ShownProject, appUrl: AppUrl): string | null =>
  live_deployment_id === null || app_name === null ? null : appUrl(app_name);

export function asProjectListItem(row: ListedProjectRow, appUrl: AppUrl): ProjectListItem {
  const { files_count, collaborators_count, last_activity } = row;
  return {
    ...asProject(row),
    live_url: liveUrlOf(row, appUrl),
    stats: { files_count, collaborators_count, last_activity: last_activity.toISOString() },
  };
}

export const asPublicProject = (row: PublicProjectRow, userId: string, appUrl: AppUrl): ProjectListItem =>
  asSeenBy(asProjectListItem(row, appUrl), row, userId);
