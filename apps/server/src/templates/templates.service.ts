import type { Template as Answer, TemplateListQuery } from '@bottega/contract';
import { LRUCache } from 'lru-cache';
import type { Db } from '../db/pool.ts';
import type { Queries } from '../db/transaction.ts';
import { notFound } from '../http/app-error.ts';
import type { Principal } from '../http/principal.ts';
import { isId } from '../ids.ts';
import { type BuiltIns, licenceFiles } from './built-in.ts';
import { fillFile, type TemplateFile } from './fill.ts';
import type { Template } from './template.ts';
import { mustSeeTemplate } from './templates.policy.ts';
import * as rows from './templates.sql.ts';
import { asTemplateAnswer, type Links } from './templates.view.ts';
import { sampleValues, type Values, withDerived } from './variables.ts';

export type Templates = Links & { db: Db; builtIns: BuiltIns; samples: Samples; fileLimit: number };

/** Featured ones first, then by name. */
export async function listTemplates(
  templates: Templates,
  principal: Principal,
  query: TemplateListQuery,
): Promise<Answer[]> {
  const own = [...templates.builtIns.values()].map(({ template }) => template);
  const published = await rows.listVisible(templates.db, principal.userId);
  return [...own, ...published]
    .filter((template) => matches(template, query))
    .sort((one, other) => Number(other.featured) - Number(one.featured) || byName(one, other))
    .map((template) => asTemplateAnswer(template, principal, templates));
}

const byName = (one: Template, other: Template): number =>
  one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1);

const same = (one: string, other: string | undefined): boolean =>
  other === undefined || one.toLowerCase() === other.toLowerCase();

function matches(template: Template, { category, language, featured }: TemplateListQuery): boolean {
  if (featured !== undefined && template.featured !== featured) return false;
  return same(template.category, category) && same(template.language, language);
}

export async function readTemplate(templates: Templates, principal: Principal, id: string): Promise<Answer> {
  const template = mustSeeTemplate(await findAny(templates, id), principal.userId);
  return asTemplateAnswer(template, principal, templates);
}

/** Of ours or of a user's, whoever may see it. */
export async function findAny({ builtIns, db }: Pick<Templates, 'builtIns' | 'db'>, id: string) {
  return builtIns.get(id)?.template ?? (isId('tpl', id) ? rows.findTemplate(db, id) : undefined);
}

/** The files as they are in the template, before anything is filled in. */
export async function sourceFiles(db: Queries, builtIns: BuiltIns, template: Template): Promise<TemplateFile[] | null> {
  return builtIns.get(template.id)?.files ?? rows.readTemplateFiles(db, template);
}

/** What a project gets. A template of ours brings the text of the licence that was chosen. */
export async function filledFiles(
  template: Template,
  files: TemplateFile[],
  { values, now, fileLimit }: { values: Values; now: Date; fileLimit: number },
): Promise<TemplateFile[]> {
  // A template that asks for nothing is taken as it is: what looks like a placeholder in it may be meant so.
  if (template.variables.length === 0) return files;
  const all = template.ownerId === null ? [...files, ...(await licenceFiles(values.licence))] : files;
  const filling = withDerived(values, now);
  return all.map((file) => fillFile(file, filling, fileLimit));
}

/** Templates filled in with what they say of themselves: what previews and clones show. */
export type Samples = LRUCache<string, TemplateFile[]>;

const mostSampleBytes = 64 * 1024 * 1024;

export function createSamples(): Samples {
  return new LRUCache({
    maxSize: mostSampleBytes,
    sizeCalculation: (files) => files.reduce((sum, { content, path }) => sum + content.length + path.length + 200, 1),
  });
}

/** By id, version and the time of the last change, since a name or a default that changed shows in it. */
export const sampleKey = ({ id, version, updatedAt }: Template): string => `${id} ${version} ${updatedAt.getTime()}`;

export async function sampleFiles(
  { db, builtIns, samples, fileLimit }: Omit<Templates, keyof Links>,
  template: Template,
): Promise<TemplateFile[]> {
  const key = sampleKey(template);
  const known = samples.get(key);
  if (known) return known;
  const files = await sourceFiles(db, builtIns, template);
  // Published anew, or deleted, since it was looked up.
  if (!files) throw notFound('Template');
  const { name, description, authorName, updatedAt } = template;
  const values = sampleValues(template.variables, { project_name: name, description, author: authorName });
  const filled = await filledFiles(template, files, { values, now: updatedAt, fileLimit });
  samples.set(key, filled);
  return filled;
}
