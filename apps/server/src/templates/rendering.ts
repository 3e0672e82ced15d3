import { type Budget, createBudget } from '../foundation/concurrency/budget.ts';
import { licenceFiles } from './built-in.ts';
import { fillFile, measureFile, type TemplateFile } from './fill.ts';
import type { Template } from './template.ts';
import { type Values, withDerived } from './variables.ts';

const mebibyte = 1024 * 1024;

/** The budget of a new project's files. A template has at most 20 MiB; values add the rest. */
export const projectBudget = (): Budget =>
  createBudget({
    name: 'template project',
    entries: 1_000_000,
    bytes: 48 * mebibyte,
    ms: 30_000,
    message: 'The template would become too large with these values; use shorter values',
  });

/** The budget of a preview. It is smaller, because anyone can request one without a credential. */
export const sampleBudget = (): Budget =>
  createBudget({
    name: 'template preview',
    entries: 250_000,
    bytes: 24 * mebibyte,
    ms: 10_000,
    message: 'The template is too large to show with its default values',
  });

type Filling = { values: Values; now: Date; fileLimit: number; budget: Budget };

/** The files of a new project. A built-in template adds the text of the chosen licence. */
export async function filledFiles(
  template: Template,
  files: TemplateFile[],
  { values, now, fileLimit, budget }: Filling,
): Promise<TemplateFile[]> {
  // A template without variables is copied as it is: text that looks like a placeholder may be intended.
  if (template.variables.length === 0) return files;
  const all = template.owner_id === null ? [...files, ...(await licenceFiles(values.licence))] : files;
  const filling = withDerived(values, now);
  for (const file of all) await measureFile(file, filling, { fileLimit, budget });
  const filled: TemplateFile[] = [];
  for (const file of all) filled.push(await fillFile(file, filling, budget));
  return filled;
}
