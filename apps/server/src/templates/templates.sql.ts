import { type RawBuilder, sql } from 'kysely';
import { type Queries, type RowOf, selectList, type Trx } from '../foundation/db/index.ts';
import { inflateObjectAsync } from '../repository/objects/objects.ts';
import type { TemplateFile } from './fill.ts';
import type { Template, TemplateSettings } from './template.ts';

const ownColumns = [
  'id',
  'owner_id',
  'name',
  'description',
  'category',
  'language',
  'tags',
  'visibility',
  'featured',
  'variables',
  'collaboration_enabled',
  'auto_save',
  'version_control',
  'version',
  'files_count',
  'created_at',
  'updated_at',
] as const;

type Row = RowOf<'templates', typeof ownColumns> & { author_name: string };

const columns = sql.raw(`${selectList('t', ownColumns)}, u.name as author_name`);

function asTemplate({ collaboration_enabled, auto_save, version_control, ...row }: Row): Template {
  return { ...row, settings: { collaboration_enabled, auto_save, version_control } };
}

export async function listVisible(db: Queries, userId: string): Promise<Template[]> {
  const { rows } = await sql<Row>`
    select ${columns} from templates t join users u on u.id = t.owner_id
    where t.visibility = 'public' or t.owner_id = ${userId}`.execute(db);
  return rows.map(asTemplate);
}

export function findTemplate(db: Queries, id: string): Promise<Template | undefined> {
  return selectTemplate(db, id, sql``);
}

/** Locks the template against changes and republishing until the transaction ends. */
export function lockTemplate(trx: Trx, id: string): Promise<Template | undefined> {
  return selectTemplate(trx, id, sql`for no key update of t`);
}

/** Keeps the files from being replaced while they are read, so that two versions do not mix. */
export function holdTemplate(trx: Trx, id: string): Promise<Template | undefined> {
  return selectTemplate(trx, id, sql`for share of t`);
}

async function selectTemplate(db: Queries, id: string, lock: RawBuilder<unknown>): Promise<Template | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from templates t join users u on u.id = t.owner_id where t.id = ${id} ${lock}`.execute(db);
  return rows[0] && asTemplate(rows[0]);
}

/**
 * Reads the files and the version in one statement, so that they belong together. Null if that version no longer
 * exists.
 */
export async function readTemplateFiles(db: Queries, { id, version }: Template): Promise<TemplateFile[] | null> {
  const { rows } = await sql<{ path: string; executable: boolean; size: number; deflated: Buffer }>`
    select f.path, f.executable, f.size, f.deflated
    from templates t join template_files f on f.template_id = t.id
    where t.id = ${id} and t.version = ${version}
    order by f.path`.execute(db);
  const files: TemplateFile[] = [];
  for (const { path, executable, size, deflated } of rows) {
    files.push({ path, executable, content: await inflateObjectAsync(deflated, size) });
  }
  return files.length > 0 ? files : null;
}

export type TemplateFields = Pick<
  Template,
  'name' | 'description' | 'category' | 'language' | 'tags' | 'visibility' | 'featured' | 'variables'
>;

export type NewTemplate = TemplateFields & {
  id: string;
  ownerId: string;
  projectId: string;
  settings: TemplateSettings;
};

export async function insertTemplate(trx: Trx, template: NewTemplate): Promise<void> {
  const { id, ownerId, projectId, settings, variables, ...fields } = template;
  await trx
    .insertInto('templates')
    .values({
      ...fields,
      ...settings,
      id,
      owner_id: ownerId,
      project_id: projectId,
      variables: JSON.stringify(variables),
      version: 1,
      files_count: 0,
    })
    .execute();
}

export async function updateTemplate(trx: Trx, id: string, { variables, ...fields }: TemplateFields): Promise<void> {
  await trx
    .updateTable('templates')
    .set({ ...fields, variables: JSON.stringify(variables), updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteTemplate(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('templates').where('id', '=', id).execute();
}

export async function sourceOf(trx: Trx, id: string): Promise<string | null> {
  const row = await trx.selectFrom('templates').select('project_id').where('id', '=', id).executeTakeFirst();
  return row?.project_id ?? null;
}

export async function nameOfUser(db: Queries, userId: string): Promise<string> {
  const row = await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
  return row?.name ?? '';
}
