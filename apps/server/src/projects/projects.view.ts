import type { Project, ProjectDetail, ProjectListItem } from '@bottega/contract';
import type { ListedProjectRow } from './projects.listing.sql.ts';
import type { ProjectDetailRow, ProjectRow } from './projects.sql.ts';

export function asProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    owner: { id: row.owner_id, name: row.owner_name, email: row.owner_email },
    settings: {
      public: row.public,
      collaboration_enabled: row.collaboration_enabled,
      auto_save: row.auto_save,
      version_control: row.version_control,
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
          },
    template_id: row.template_id,
  };
}

export function asProjectDetail(row: ProjectDetailRow): ProjectDetail {
  const collaborators = row.collaborators.map((one) => ({
    ...one,
    joined_at: one.joined_at === null ? null : new Date(one.joined_at).toISOString(),
  }));
  return { ...asProject(row), collaborators };
}

export function asProjectListItem(row: ListedProjectRow): ProjectListItem {
  const { files_count, collaborators_count, last_activity } = row;
  return {
    ...asProject(row),
    stats: { files_count, collaborators_count, last_activity: last_activity.toISOString() },
  };
}
