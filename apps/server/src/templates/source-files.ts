import type { Queries } from '../foundation/db/index.ts';
import type { BuiltIns } from './built-in.ts';
import type { TemplateFile } from './fill.ts';
import type { Template } from './template.ts';
import { readTemplateFiles } from './templates.sql.ts';

/** The template's files before values are filled in. Null if that version no longer exists. */
export async function sourceFiles(db: Queries, builtIns: BuiltIns, template: Template): Promise<TemplateFile[] | null> {
  return builtIns.get(template.id)?.files ?? readTemplateFiles(db, template);
}
