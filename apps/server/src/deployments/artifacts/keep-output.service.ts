import { dirname, relative } from 'node:path';
import { reasonSentence } from '@bottega/contract';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import { openPieceWriter, type Pieces, type PieceWriter } from '../pieces/index.ts';
import { BuildProblem } from '../state/index.ts';
import { storeFile, storeLink, underOtherName } from './artifacts.service.ts';
import type { ArtifactFile } from './artifacts.sql.ts';
import { whereLinkLeads } from './link-target.ts';
import type { OutputEntry } from './output-entries.ts';
import type { MustFit } from './storage.ts';

export type KeepRules = {
  /**
   * Whether the output is for a server app. For a server app, all files are kept, and links stay links. For a site,
   * only files that a browser may request are kept.
   */
  isServer: boolean;
  maxBytes: number;
  seconds: number;
  /** The directory's path when it was packed. An absolute link can still lead into the directory. */
  root: string;
  mustFit: MustFit;
};

type Kept = { files: Map<string, ArtifactFile>; directories: Set<string>; links: Map<string, string> };
type Budgets = ReturnType<typeof budgetsOf>;

const maxFiles = 100_000;
/** Maximum number of entries, including directories and entries that are not kept. */
const maxEntries = 4 * maxFiles;

/**
 * Stores files piece by piece as they arrive, and returns the content of the artifact. The targets of links are known
 * only at the end. They are resolved from the texts of the links alone, without looking at a disk.
 */
export async function keepOutput(
  pieces: Pieces,
  projectId: string,
  entries: AsyncIterable<OutputEntry>,
  rules: KeepRules,
): Promise<ArtifactFile[]> {
  const writer = openPieceWriter(pieces, projectId);
  try {
    const files = await keepEntries(writer, entries, rules);
    await writer.settle();
    return files;
  } finally {
    // Waits for the last writes: unused pieces are deleted after the build has ended, and none may be written after
    // that.
    await writer.settle().catch(() => undefined);
  }
}

async function keepEntries(
  writer: PieceWriter,
  entries: AsyncIterable<OutputEntry>,
  rules: KeepRules,
): Promise<ArtifactFile[]> {
  const budgets = budgetsOf(rules);
  const kept: Kept = { files: new Map(), directories: new Set(['']), links: new Map() };
  const { files, directories, links } = kept;
  for await (const entry of entries) {
    budgets.entries.spend({ entries: 1 });
    await budgets.entries.maybeYield();
    const { path } = entry;
    if (!rules.isServer && isHidden(path)) continue;
    if (files.has(path) || directories.has(path) || links.has(path)) throw broken(`${path} appears twice`);
    if (entry.kind === 'directory') directories.add(path);
    else if (entry.kind === 'link') links.set(path, entry.target);
    else if (entry.kind === 'copy') addCopy(kept, budgets, { path, of: entry.of });
    else {
      spendFile(budgets, entry.size);
      files.set(path, await storeFile(writer, entry, { wantsVariants: !rules.isServer }));
      await rules.mustFit(entry.size, writer.settle);
    }
  }
  await rules.mustFit(Number.POSITIVE_INFINITY, writer.settle);
  for (const path of [...files.keys(), ...links.keys()]) mustBeInDirectories(path, kept);
  for (const [path, target] of links) {
    budgets.entries.spend({});
    await budgets.entries.maybeYield();
    const place = whereLinkLeads(path, links, rules.root);
    if (place === null) continue;
    if (!rules.isServer) addCopy(kept, budgets, { path, of: place });
    else if (files.has(place) || directories.has(place)) {
      const text = relative(dirname(path), place || '/') || '.';
      spendFile(budgets, target.length);
      files.set(path, await storeLink(writer, { path, target: text }));
    }
  }
  return [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** A file with several names in the output is served under each of them, and counts once for each. */
function addCopy({ files }: Kept, budgets: Budgets, { path, of }: { path: string; of: string }): void {
  const file = files.get(of);
  if (!file) return;
  spendFile(budgets, file.size);
  files.set(path, underOtherName(file, path));
}

/** Throws if an entry of the archive is below a link, because unpacking it would write elsewhere. */
function mustBeInDirectories(path: string, { files, links }: Kept): void {
  for (let above = dirname(path); above !== '/'; above = dirname(above)) {
    if (files.has(above) || links.has(above)) throw broken(`${path} has no parent directory`);
  }
}

function spendFile(budgets: Budgets, bytes: number): void {
  budgets.files.spend({ entries: 1 });
  budgets.bytes.spend({ bytes });
}

function budgetsOf({ maxBytes, seconds }: KeepRules) {
  const name = 'build output';
  return {
    files: createBudget({ name, entries: maxFiles, message: `The output has more than ${maxFiles} files` }),
    bytes: createBudget({ name, bytes: maxBytes, message: `The output has more than ${maxBytes} bytes` }),
    entries: createBudget({
      name,
      entries: maxEntries,
      ms: seconds * 1000,
      message: `The output has more than ${maxEntries} entries, or took longer than ${seconds} seconds to collect`,
    }),
  };
}

/**
 * Whether a file is hidden. Tools store such files next to a site, and they are not public, except for `.well-known`.
 */
function isHidden(path: string): boolean {
  const [top = '', ...below] = path.slice(1).split('/');
  if (top === 'node_modules' || path === '/bottega.json') return true;
  return (top.startsWith('.') && top !== '.well-known') || below.some((name) => name.startsWith('.'));
}

const broken = (detail: string) => new BuildProblem('build_failed', reasonSentence('output_unreadable', { detail }));
