import type { EventData, Project } from '@bottega/contract';
import type { ProjectRow } from './projects.sql.ts';

/**
 * The data of a project event. Objects that describe a person have name, email and username, as everywhere in the
 * catalogue.
 */
export function projectEventData(project: ProjectRow): EventData['project.created'] {
  return {
    project_id: project.id,
    project_name: project.name,
    description: project.description,
    status: project.status,
    template_id: project.template_id,
    settings: {
      public: project.public,
      collaboration_enabled: project.collaboration_enabled,
      auto_save: project.auto_save,
      version_control: project.version_control,
      auto_deploy: project.auto_deploy,
      auto_preview: project.auto_preview ?? project.auto_deploy,
    },
    owner: {
      id: project.owner_id,
      name: project.owner_name,
      email: project.owner_email,
      username: project.owner_username,
    },
    created_at: project.created_at.toISOString(),
    updated_at: project.updated_at.toISOString(),
  };
}

type Changes = Record<string, { from: unknown; to: unknown }>;

/** Every changed field as {from, to}. Fields of settings and repository have dotted names. */
export function changesOf(before: Project, after: Project): Changes {
  const from = fieldsOf(before);
  const to = fieldsOf(after);
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return Object.fromEntries(
    names
      .filter((name) => (from[name] ?? null) !== (to[name] ?? null))
      .map((name) => [name, { from: from[name] ?? null, to: to[name] ?? null }]),
  );
}

function fieldsOf(project: Project): Record<string, unknown> {
  const { name, description, status, settings, repository } = project;
  return {
    name,
    description,
    status,
    ...dotted('settings', settings),
    ...dotted('repository', { url: repository?.url ?? null, branch: repository?.branch ?? null }),
  };
}

const dotted = (prefix: string, fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]));
