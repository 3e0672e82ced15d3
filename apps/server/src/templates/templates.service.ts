import type { Template as Answer, Plan, TemplateListQuery } from '@bottega/contract';
import type { Db } from '../foundation/db/index.ts';
import type { Principal } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import type { BuiltIns } from './built-in.ts';
import type { Samples } from './samples.ts';
import type { Template } from './template.ts';
import { mustSeeTemplate } from './templates.policy.ts';
import * as rows from './templates.sql.ts';
import { asTemplateAnswer, type Links } from './templates.view.ts';

export type Templates = Links & {
  db: Db;
  builtIns: BuiltIns;
  samples: Samples;
  fileLimit: number;
  /** Maximum number of bytes that an account may store, templates included. */
  storageOfAccount: Record<Plan, number | null>;
};

/** Lists templates: featured ones first, then the others, each group by name. */
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

/** Finds a built-in or published template, regardless of who may see it. */
export async function findAny({ builtIns, db }: Pick<Templates, 'builtIns' | 'db'>, id: string) {
  return builtIns.get(id)?.template ?? (isId('tpl', id) ? rows.findTemplate(db, id) : undefined);
}
