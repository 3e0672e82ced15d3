import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../deployments/index.ts';
import { dropGitLayers } from './git-layer.ts';

/** What a workspace can be built on. Each workspace notes in its directory which of them it uses. */
type Built = 'trees' | 'layers';
const noteFiles = { trees: 'tree', layers: 'layer' };
const nothing = 'empty';
const removalMs = 600_000;
/** The number of trees, and the number of layers, that are kept although no workspace uses them. */
const kept = 3;

const noted = async (directory: string, what: Built): Promise<string> =>
  readFile(join(directory, noteFiles[what]), 'utf8').catch(() => '');

export const noteTree = (directory: string, tree: Buffer | null): Promise<void> =>
  writeFile(join(directory, noteFiles.trees), tree?.toString('hex') ?? nothing);

export async function readTree(directory: string): Promise<Buffer | null> {
  const text = await noted(directory, 'trees');
  return text === nothing || text === '' ? null : Buffer.from(text, 'hex');
}

export const noteLayer = (directory: string, id: string | null): Promise<void> =>
  writeFile(join(directory, noteFiles.layers), id ?? nothing);

export async function readLayer(directory: string): Promise<string | null> {
  const text = await noted(directory, 'layers');
  return text === nothing || text === '' ? null : text;
}

/** Removes trees and layers that no workspace of the project needs, except for the latest. */
export async function dropUnused(project: string): Promise<void> {
  for (const what of ['trees', 'layers'] as const) await dropUnusedOf(project, what);
  await dropGitLayers(project);
}

async function dropUnusedOf(project: string, what: Built): Promise<void> {
  const ids = await readdir(join(project, 'workspaces')).catch(() => []);
  const used = new Set(await Promise.all(ids.map((id) => noted(join(project, 'workspaces', id), what))));
  const all = await readdir(join(project, what)).catch(() => []);
  const aged = await Promise.all(
    all
      .filter((name) => !used.has(name))
      .map(async (name) => ({ name, at: (await stat(join(project, what, name))).mtimeMs })),
  );
  const old = aged.sort((a, b) => b.at - a.at).slice(kept);
  for (const { name } of old) await removeTree(join(project, what, name), { ms: removalMs });
}
