import { CompiledQuery } from 'kysely';
import type { RowOf, Trx } from '../foundation/db/index.ts';
import { listedText } from './projects.listing.sql.ts';
import { type ProjectRow, projectColumnNames, projectNames } from './projects.sql.ts';

const newProject = [
  'id',
  'owner_id',
  'name',
  'description',
  'public',
  'collaboration_enabled',
  'auto_save',
  'version_control',
  'auto_deploy',
  'auto_preview',
  'repository_url',
  'repository_branch',
  'template_id',
  'template_version',
  'forked_from',
] as const;
export type NewProject = RowOf<'projects', typeof newProject>;

/**
 * Inserts a project with its figures and its entry in the owner's list. The returned row is what every reader will see,
 * because nobody else has rights in the project yet.
 */
const insertText = `
    with p as (
      insert into projects (${newProject.join(', ')})
      select ${newProject.join(', ')} from jsonb_populate_record(null::projects, $1::jsonb)
      returning ${projectNames.join(', ')}
    ), figures as (
      insert into project_stats (project_id) select id from p
    ), listed as (
      insert into project_listing
        (user_id, project_id, owned, status, name_key, search_text, created_at, updated_at)
      select p.owner_id, p.id, true, p.status, $2::text, $3::text, p.created_at, p.updated_at from p
    )
    select ${projectColumnNames}, null as my_permissions from p join users o on o.id = p.owner_id`;

export async function insertProject(trx: Trx, project: NewProject): Promise<ProjectRow> {
  const { name_key, search_text } = listedText(project);
  const values = [JSON.stringify(project), name_key, search_text];
  const { rows } = await trx.executeQuery<ProjectRow>(CompiledQuery.raw(insertText, values));
  const [row] = rows;
  if (!row) throw new Error('the inserted project is missing');
  return row;
}
