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
] as const;
export type NewProject = RowOf<'projects', typeof newProject>;

/** With its figures and its place in its owner's list, and returned as every reader will find it: nobody else has rights in it yet. */
const insertText = `
    with p as (
      insert into projects (${newProject.join(', ')})
      select ${newProject.join(', ')} from jsonb_to_recordset($1::jsonb) as n (
        id text, owner_id text, name text, description text, public boolean, collaboration_enabled boolean,
        auto_save boolean, version_control boolean, auto_deploy boolean, auto_preview boolean, repository_url text,
        repository_branch text, template_id text, template_version integer)
      returning ${projectNames.join(', ')}
    ), figures as (
      insert into project_stats (project_id) select id from p
    ), listed as (
      insert into project_listing
        (user_id, project_id, owned, status, name_key, search_text, created_at, updated_at)
      select p.owner_id, p.id, true, p.status, n.name_key, n.search_text, p.created_at, p.updated_at
      from p join jsonb_to_recordset($1::jsonb) as n (id text, name_key text, search_text text) on n.id = p.id
    )
    select ${projectColumnNames}, null as my_permissions from p join users o on o.id = p.owner_id`;

export async function insertProject(trx: Trx, project: NewProject): Promise<ProjectRow> {
  const values = JSON.stringify([{ ...project, ...listedText(project) }]);
  const { rows } = await trx.executeQuery<ProjectRow>(CompiledQuery.raw(insertText, [values]));
  const [row] = rows;
  if (!row) throw new Error('the inserted project is missing');
  return row;
}
