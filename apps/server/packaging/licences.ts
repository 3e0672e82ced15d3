import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Of a package whose code is in a bundle; also the form of the lists that the builds of dashboard and guide leave. */
export type Licence = { name: string; version: string; identifier?: string; text?: string };

/** Of the packages that these files belong to. */
export function licencesOf(files: readonly string[]): Licence[] {
  const folders = new Set(files.filter((file) => /^\/.*\/node_modules\//.test(file)).map(packageFolder));
  return [...folders].map((folder) => {
    const { name, version, license: identifier } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = licenceFile(folder);
    return { name, version, identifier, ...(file && { text: readFileSync(file, 'utf8').trim() }) };
  });
}

/** It may be a directory of several, of which the first is the package's own. */
function licenceFile(folder: string): string | undefined {
  const entry = readdirSync(folder, { withFileTypes: true }).find(({ name }) => /^(licen[cs]e|copying)/i.test(name));
  if (!entry) return undefined;
  const path = join(folder, entry.name);
  return entry.isDirectory() ? licenceFile(path) : path;
}

/** Inner folders may have a package.json that only says which kind of module they hold. */
function packageFolder(file: string): string {
  let folder = dirname(file);
  while (!/node_modules\/(@[^/]+\/)?[^@/][^/]*$/.test(folder) || !existsSync(join(folder, 'package.json'))) {
    folder = dirname(folder);
  }
  return folder;
}

export function noticeOf(licences: readonly Licence[]): string {
  const byName = new Map(licences.map((licence) => [`${licence.name} ${licence.version}`, licence]));
  const parts = [...byName].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    'Bottega is under the MIT licence in LICENSE. It holds code and fonts of these packages, under their own licences.',
    ...parts.map(([title, { identifier, text }]) =>
      `${title} (${identifier ?? 'see its text'})\n\n${text ?? ''}`.trim(),
    ),
    '',
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}
