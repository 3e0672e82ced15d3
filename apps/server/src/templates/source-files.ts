import type { Queries } from '../foundation/db/index.ts';
import type { BuiltIns } from './built-in.ts';
import type { TemplateFile } from './fill.ts';
import type { Template } from './template.ts';
import { readTemplateFiles } from './templates.sql.ts';

/** The files as they are in the template, before anything is filled in. Null where that version is no more. */
export async function sourceFiles(db: Queries, builtIns: BuiltIns, template: Template): Promise<TemplateFile[] | null> {
  return builtIns.get(template.id)?.files ?? readTemplateFiles(db, template);
}
