import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { TemplateVariable } from '@bottega/contract';
import { shippedFolder } from '../foundation/shipped.ts';
import type { TemplateFile } from './fill.ts';
import type { Template } from './template.ts';
import { checkVariables, parseVariables } from './variables.ts';

export type BuiltIn = { template: Template; files: TemplateFile[] };

/** Built-in templates by id. They are part of the running version, so they are read once at the start. */
export type BuiltIns = ReadonlyMap<string, BuiltIn>;

/** Templates are plain files next to the applications, so nobody needs to know this code to edit one. */
const home = shippedFolder('templates', join(import.meta.dirname, '../../../../templates'));

/** This folder holds the texts of the licences and is not a template. */
const licenceFolder = 'licences';
const licences = ['MIT', 'Apache-2.0', 'none'];

/** Variables that every built-in template has before its own. */
const standardVariables: TemplateVariable[] = [
  { name: 'project_name', type: 'string', label: 'Project name', required: true, max_length: 100 },
  { name: 'description', type: 'string', label: 'Description, in one sentence', max_length: 10_000 },
  { name: 'author', type: 'string', label: 'Copyright holder', max_length: 200 },
  { name: 'licence', type: 'choice', label: 'Licence', default: 'MIT', choices: licences },
];

export async function loadBuiltIns(): Promise<BuiltIns> {
  const folders = (await readdir(home, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const ids = folders.map(({ name }) => name).filter((name) => name !== licenceFolder);
  const loaded = await Promise.all(ids.sort().map(loadBuiltIn));
  return new Map(loaded.map((one) => [one.template.id, one]));
}

async function loadBuiltIn(id: string): Promise<BuiltIn> {
  const about = JSON.parse(await readFile(join(home, id, 'template.json'), 'utf8'));
  const own = parseVariables(about.variables ?? []);
  if (!own) throw new Error(`templates/${id}/template.json has variables of an unknown form`);
  const variables = [...standardVariables, ...own];
  await checkVariables(variables);
  const files = await readFiles(join(home, id, 'files'));
  const template: Template = {
    id,
    owner_id: null,
    name: about.name,
    description: about.description,
    category: about.category,
    language: about.language,
    tags: about.tags,
    featured: about.featured ?? false,
    visibility: 'public',
    author_name: 'Bottega',
    variables,
    settings: about.settings ?? {},
    version: about.version ?? 1,
    files_count: files.length + 1,
    created_at: new Date(about.created_at),
    updated_at: new Date(about.updated_at),
  };
  return { template, files };
}

/**
 * Reads the files of a template. npm leaves `.gitignore` files out of packages and applies their rules, so each is
 * stored as `_gitignore`.
 */
async function readFiles(root: string): Promise<TemplateFile[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths.map(async (place) => ({
    path: `/${relative(root, place).split(sep).join('/')}`.replace(/\/_gitignore$/, '/.gitignore'),
    executable: ((await stat(place)).mode & 0o111) !== 0,
    content: await readFile(place),
  }));
  return (await Promise.all(files)).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The text of the chosen licence, filled in like any other file. Empty for `none`. */
export async function licenceFiles(licence: unknown): Promise<TemplateFile[]> {
  if (typeof licence !== 'string' || licence === 'none' || !licences.includes(licence)) return [];
  const content = await readFile(join(home, licenceFolder, `${licence}.txt`));
  return [{ path: '/LICENSE', executable: false, content }];
}
