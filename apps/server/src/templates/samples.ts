import { LRUCache } from 'lru-cache';
import { singleFlight } from '../foundation/concurrency/single-flight.ts';
import { createSlots } from '../foundation/concurrency/slots.ts';
import type { Db } from '../foundation/db/index.ts';
import { AppError, notFound } from '../foundation/http/index.ts';
import type { BuiltIns } from './built-in.ts';
import type { TemplateFile } from './fill.ts';
import { filledFiles, sampleBudget } from './rendering.ts';
import { sourceFiles } from './source-files.ts';
import type { Template } from './template.ts';
import { sampleValues } from './variables.ts';

/** Templates filled in with sample values, for previews and clones. */
export type Samples = { read(template: Template): Promise<TemplateFile[]> };

type Options = { db: Db; builtIns: BuiltIns; fileLimit: number };

const maxBytes = 64 * 1024 * 1024;
/**
 * How long a refusal is cached. A template that is too large usually stays too large. But the time is short, because
 * the reason may also be a busy machine.
 */
const refusalMs = 60_000;

export function createSamples(options: Options): Samples {
  const known = new LRUCache<string, TemplateFile[] | AppError>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  // Previews need no credential, so the slots are counted for the owner of the template and not for the caller.
  const slots = createSlots({ total: 2, perAccount: 1, maxWaiting: 100 });

  const make = singleFlight(async (key: string, template: Template) => {
    try {
      const files = await slots.run(template.owner_id ?? 'bottega', () => render(options, template));
      known.set(key, files);
      return files;
    } catch (error) {
      if (error instanceof AppError && error.status === 422) known.set(key, error, { ttl: refusalMs });
      throw error;
    }
  });

  return {
    async read(template) {
      const key = keyOf(template);
      const found = known.get(key) ?? (await make(key, template));
      if (found instanceof AppError) throw found;
      return found;
    },
  };
}

const sizeOf = (known: TemplateFile[] | AppError): number =>
  known instanceof AppError
    ? 500
    : known.reduce((sum, { content, path }) => sum + content.length + path.length + 200, 1);

/** The key includes the time of the last change, because a new name or default changes the sample. */
const keyOf = ({ id, version, updated_at: at }: Template): string => `${id} ${version} ${at.getTime()}`;

async function render({ db, builtIns, fileLimit }: Options, template: Template): Promise<TemplateFile[]> {
  const files = await sourceFiles(db, builtIns, template);
  // In this case, the template was republished or deleted after it was looked up.
  if (!files) throw notFound('Template');
  const { name, description, author_name: author, updated_at: now } = template;
  const values = sampleValues(template.variables, { project_name: name, description, author });
  return filledFiles(template, files, { values, now, fileLimit, budget: sampleBudget() });
}
