import { isUtf8 } from 'node:buffer';
import type { Budget } from '../foundation/concurrency/budget.ts';
import { invalid } from '../foundation/http/index.ts';
import { escapeFor } from './escape.ts';
import type { Values } from './variables.ts';

export type TemplateFile = { path: string; executable: boolean; content: Buffer };

/** The largest size of one file, and the budget of all files together. */
export type FillLimits = { fileLimit: number; budget: Budget };

/** `{{name}}`, or `{{name|slug}}` if the value has to be one word. */
const placeholder = /\{\{ ?([a-z][a-z0-9_]{0,39})(\|slug)? ?\}\}/y;

/** Number of braces between two checks of the clock, because checking costs more than handling them. */
const bracesPerYield = 256;
const chunkLength = 65_536;

/**
 * Spends the size that a file will have from the budget, before the file is built: a short file with many placeholders
 * and a long value could become gigabytes.
 */
export async function measureFile(file: TemplateFile, values: Values, limits: FillLimits): Promise<void> {
  const { content, path } = file;
  const { budget, fileLimit } = limits;
  budget.spend({ entries: 1, bytes: content.length });
  let bytes = content.length;
  await eachPlaceholder(file, values, budget, ({ value }) => {
    budget.spend({ entries: 1, bytes: value.bytes });
    bytes += value.bytes;
    if (bytes > fileLimit) throw invalid('template_variables', `would make ${path} larger than ${fileLimit} bytes`);
  });
}

/**
 * Fills in a file. Braces around anything other than a variable stay unchanged, so that files can contain other
 * template languages.
 */
export async function fillFile(file: TemplateFile, values: Values, budget: Budget): Promise<TemplateFile> {
  const filled = gather();
  let at = 0;
  const text = await eachPlaceholder(file, values, budget, ({ whole, from, to, value }) => {
    filled.add(whole.slice(at, from), value.text);
    at = to;
  });
  if (text === null || at === 0) return file;
  filled.add(text.slice(at));
  return { ...file, content: filled.all() };
}

type Found = { whole: string; from: number; to: number; value: Written };

/** Calls back for each placeholder, and returns the text of the file. Null if it is not text or has no braces. */
async function eachPlaceholder(
  { content, path }: TemplateFile,
  values: Values,
  budget: Budget,
  found: (placeholder: Found) => void,
): Promise<string | null> {
  await budget.maybeYield();
  if (!content.includes('{{') || content.includes(0) || !isUtf8(content)) return null;
  const written = writings(path, values);
  const text = content.toString('utf8');
  let [next, braces] = [0, 0];
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', next)) {
    if (++braces % bracesPerYield === 0) await budget.maybeYield();
    placeholder.lastIndex = open;
    const [match = '', name = '', slug] = placeholder.exec(text) ?? [];
    const value = written(name, slug !== undefined);
    next = open + (value ? match.length : 1);
    if (value) found({ whole: text, from: open, to: next, value });
  }
  return text;
}

type Written = { text: string; bytes: number };

/**
 * Returns values in the form in which they are written into the file. Each value is escaped once, however often the
 * file uses it.
 */
function writings(path: string, values: Values): (name: string, isSlug: boolean) => Written | null {
  const escaped = escapeFor(path);
  const known = new Map<string, Written>();
  return (name, isSlug) => {
    if (!Object.hasOwn(values, name)) return null;
    const key = `${name} ${isSlug}`;
    const value = known.get(key);
    if (value) return value;
    const text = isSlug ? slugOf(String(values[name])) : escaped(String(values[name]));
    const made = { text, bytes: Buffer.byteLength(text) };
    known.set(key, made);
    return made;
  };
}

/** Collects pieces of text as bytes, because a million separate strings would take more memory than their content. */
function gather() {
  const chunks: Buffer[] = [];
  let parts: string[] = [];
  let length = 0;
  const flush = () => {
    chunks.push(Buffer.from(parts.join('')));
    parts = [];
    length = 0;
  };
  return {
    add(...texts: string[]) {
      for (const text of texts) length += text.length;
      parts.push(...texts);
      if (length > chunkLength) flush();
    },
    all(): Buffer {
      flush();
      return Buffer.concat(chunks);
    },
  };
}

/** The text as lower-case letters, digits and hyphens, as package managers require. */
export function slugOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return plain.slice(0, 60).replaceAll(/^-+|-+$/g, '') || 'project';
}
