import { isUtf8 } from 'node:buffer';
import { invalid } from '../http/app-error.ts';
import { escapeFor } from './escape.ts';
import type { Values } from './variables.ts';

export type TemplateFile = { path: string; executable: boolean; content: Buffer };

/** `{{name}}`, or `{{name|slug}}` where a name has to be one word. */
const placeholder = /\{\{ ?([a-z][a-z0-9_]{0,39})(\|slug)? ?\}\}/g;

/** Braces around anything that is not a variable stay as they are, so that other template languages can live beside. */
export function fillFile(file: TemplateFile, values: Values, mostBytes: number): TemplateFile {
  const { content, path } = file;
  if (!content.includes('{{') || content.includes(0) || !isUtf8(content)) return file;
  const escaped = escapeFor(path);
  // A short file with many placeholders and a long value would come to gigabytes.
  let bytes = content.length;
  const filled = content.toString('utf8').replaceAll(placeholder, (whole, name: string, slug?: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = String(values[name]);
    const written = slug ? slugOf(value) : escaped(value);
    bytes += Buffer.byteLength(written);
    if (bytes > mostBytes) throw invalid('template_variables', `make ${path} larger than ${mostBytes} bytes`);
    return written;
  });
  return { ...file, content: Buffer.from(filled) };
}

/** Small letters, digits and hyphens: what package managers take for a name. */
export function slugOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return plain.slice(0, 60).replaceAll(/^-+|-+$/g, '') || 'project';
}
