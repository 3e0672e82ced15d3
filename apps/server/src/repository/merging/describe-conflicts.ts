import { isUtf8 } from 'node:buffer';
import type { MergeConflict } from '@bottega/contract';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { askGit, type GitProgram } from '../cache/index.ts';
import { isBinary } from '../objects/line-changes.ts';
import { largestCompared } from '../store/index.ts';
import { longestStepMs } from './merge-directory.ts';
import type { Conflict, Side } from './merge-trees.ts';

/** Maximum number of conflicts that one response lists. The others follow once these are resolved. */
export const maxConflicts = 1_000;
/** Maximum number of bytes of all texts together, because the whole response is in memory. */
const maxBytes = 4 * 1024 * 1024;

type Names = { ours: { sha: string; name: string }; theirs: { sha: string; name: string } };

/** The first conflicts, with the content of both sides and of their base as far as it fits into one response. */
export async function describeConflicts(
  git: GitProgram,
  directory: string,
  { tree, conflicts, names }: { tree: string; conflicts: readonly Conflict[]; names: Names },
): Promise<MergeConflict[]> {
  const told = conflicts.slice(0, maxConflicts);
  const mergedAt = ({ path }: Conflict) => `${tree}:${path}`;
  const wanted = told.flatMap((conflict) => [
    ...[conflict.base, conflict.ours, conflict.theirs].flatMap((side) => (side ? [side.sha] : [])),
    ...(hasMarkers(conflict) ? [mergedAt(conflict)] : []),
  ]);
  const contents = await readContents(git, directory, wanted);
  const textOf = (name: string): string | null => {
    const content = contents.get(name);
    return content && isText(content) ? content.toString('utf8') : null;
  };
  const asSide = (side: Side | null) => side && { ...side, content: textOf(side.sha) };
  const { maybeYield } = createPace();
  const described: MergeConflict[] = [];
  for (const conflict of told) {
    await maybeYield();
    const sides = [conflict.base, conflict.ours, conflict.theirs].flatMap((side) => side ?? []);
    const merged = hasMarkers(conflict) ? textOf(mergedAt(conflict)) : null;
    described.push({
      path: `/${conflict.path}`,
      kind: conflict.kind,
      binary: sides.some(({ sha }) => !isText(contents.get(sha) ?? Buffer.alloc(0))),
      base: asSide(conflict.base),
      ours: asSide(conflict.ours),
      theirs: asSide(conflict.theirs),
      merged: merged && withNames(merged, names),
    });
  }
  return described;
}

const isRegular = (side: Side | null): boolean => side?.mode.startsWith('100') ?? false;

/**
 * Whether git's merged text with markers can be read. Git reads the request for it as one line, so a path with a line
 * break does not work.
 */
const hasMarkers = ({ path, ours, theirs, kind }: Conflict): boolean =>
  isRegular(ours) && isRegular(theirs) && (kind === 'content' || kind === 'add/add') && !path.includes('\n');

/** Whether content is text. Content that is not UTF-8 could not be sent back unchanged. */
const isText = (content: Buffer): boolean => !isBinary(content) && isUtf8(content);

/** Replaces the ids in git's markers with names that a reader understands. */
function withNames(text: string, { ours, theirs }: Names): string {
  return text.replaceAll(/(?<![^\n])(<<<<<<<|>>>>>>>) ([0-9a-f]{40})/g, (whole, mark: string, sha: string) => {
    const { sha: own, name } = mark.startsWith('<') ? ours : theirs;
    return sha === own ? `${mark} ${name}` : whole;
  });
}

/** Reads the short contents, keyed by the requested name. A submodule's commit is in another repository. */
async function readContents(git: GitProgram, directory: string, names: string[]): Promise<Map<string, Buffer>> {
  const budget = createBudget({ name: 'merge conflicts', bytes: maxBytes, message: 'Too many conflicts' });
  const place = `--git-dir=${directory}`;
  const asLines = (all: readonly string[]) => all.map((name) => `${name}\n`).join('');
  const inTime = { timeoutMs: longestStepMs, maxBytes: 2 * maxBytes };
  const sizes = await askGit(git, [place, 'cat-file', '--batch-check'], {
    ...inTime,
    input: utf8Lines(asLines(names)),
  });
  const short = sizes.split('\n').flatMap((line, index) => {
    const size = Number(/^[0-9a-f]{40} blob (\d+)$/.exec(line)?.[1] ?? Number.NaN);
    return size <= largestCompared && budget.affords({ bytes: size }) ? [{ name: names[index] ?? '', size }] : [];
  });
  const input = utf8Lines(asLines(short.map(({ name }) => name)));
  const answer = await askGit(git, [place, 'cat-file', '--batch', '--buffer'], { ...inTime, input });
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (const { name, size } of short) {
    await budget.maybeYield();
    const begin = answer.indexOf('\n', at) + 1;
    contents.set(name, Buffer.from(answer.slice(begin, begin + size), 'latin1'));
    at = begin + size + 1;
  }
  return contents;
}

const utf8Lines = (text: string): Buffer => Buffer.from(text, 'utf8');
