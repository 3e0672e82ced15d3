import type { MergeReadiness, MergeRequest, MergeRequestDiff, Review, ReviewThread } from '@bottega/sdk';
import { agoInWords, type Colours, details, printable } from '../terminal/text.ts';

type Person = { name: string } | null | undefined;

/** Somebody whose account was deleted has no name. */
export const nameOf = (person: Person): string => person?.name ?? 'somebody';

export const stateOf = ({ state, draft }: Pick<MergeRequest, 'state' | 'draft'>): string =>
  draft && state === 'open' ? 'draft' : state;

/** The source, with the name of the fork that it is a branch of. */
export const sourceOf = ({ source, source_project: fork }: Pick<MergeRequest, 'source' | 'source_project'>): string =>
  fork ? `${fork.name ?? fork.id}:${source}` : source;

/** A merge request as lines of names and values. */
export function requestInWords(request: MergeRequest): string {
  const { number, title, target, author, version, head_sha, merge_sha, queue, url } = request;
  const people = (all: readonly Person[] = []) => all.map(nameOf).join(', ');
  return details([
    ['number', `${number}`],
    ['title', title],
    ['state', stateOf(request)],
    ['source', sourceOf(request)],
    ['target', target],
    ['author', nameOf(author)],
    ['reviewers', people(request.reviewers)],
    ['assignees', people(request.assignees)],
    ['labels', request.labels?.join(', ')],
    ['version', `${version}, commit ${head_sha}`],
    ['queue', queue && `${queue.state}, place ${queue.position}`],
    ['merged as', merge_sha],
    ['address', url],
  ]);
}

export type Block = MergeReadiness['blocked_by'][number];

/** What is missing before a merge, one line each. */
export const blocksInWords = (blocks: readonly Block[]): string =>
  blocks
    .map(({ message, names }) => printable(names.length === 0 ? message : `${message} (${names.join(', ')})`))
    .join('\n');

const acts: Record<string, string> = {
  APPROVE: 'approved',
  REQUEST_CHANGES: 'requested changes to',
  COMMENT: 'commented on',
};

/** A review with its text. If it is an approval of other changes than those of the newest version, the text says so. */
export function reviewInWords({ author, event, version, holds, submitted_at, body }: Review): string {
  const note = holds || event === 'COMMENT' ? '' : ' (no longer counts)';
  const head = `${nameOf(author)} ${acts[event] ?? event} version ${version}, ${agoInWords(submitted_at)}${note}`;
  return [printable(head), ...indented(body)].join('\n');
}

/** Number of a thread's lines that are shown. The last one is the line of the thread. */
const linesShown = 6;

/** A thread with its place, its id for replies, the lines that it is about, and its comments. */
export function threadInWords(thread: ReviewThread, colours: Colours): string {
  const { id, resolved, comments, origin } = thread;
  const head = [placeInWords(thread), id, ...(resolved ? ['resolved'] : [])].join('  ');
  const said = comments.flatMap(({ author, created_at, draft, body }) => [
    printable(`  ${nameOf(author)}, ${agoInWords(created_at)}${draft ? ', draft' : ''}:`),
    ...indented(body, '    '),
  ]);
  const lines = origin?.text?.split('\n').slice(-linesShown) ?? [];
  const quoted = lines.map((line) => colours.dim(printable(`  > ${line}`).trimEnd()));
  return [colours.bold(printable(head)), ...quoted, ...said].join('\n');
}

/** An outdated thread is shown where it was begun. */
function placeInWords({ outdated, origin, ...now }: ReviewThread): string {
  const { path, start_line, line, side } = outdated ? origin : now;
  if (path === null) return 'the whole request';
  const lines = line === null ? '' : `:${start_line === null || start_line === line ? '' : `${start_line}-`}${line}`;
  const before = side === 'LEFT' && line !== null ? ' before the change' : '';
  return `${path}${lines}${before}${outdated ? ` of version ${origin.version}, outdated` : ''}`;
}

const indented = (text: string, by = '  '): string[] =>
  text === '' ? [] : text.split('\n').map((line) => `${by}${printable(line)}`.trimEnd());

/** The diff as git prints it. A file without a diff has one line. */
export function diffInWords({ files, truncated }: MergeRequestDiff, colours: Colours): string {
  const lines = files.flatMap(({ path, status, diff }) =>
    diff === null ? [`${status} ${printable(path)} (no text diff)`] : diff.replace(/\n$/, '').split('\n'),
  );
  const shown = lines.map((line) => colourOf(line, colours)(printable(line)));
  return [...shown, ...(truncated ? ['(More files are not shown.)'] : [])].join('\n');
}

function colourOf(line: string, colours: Colours): (text: string) => string {
  if (/^(diff|---|\+\+\+) /.test(line)) return colours.bold;
  if (line.startsWith('@@')) return colours.cyan;
  if (line.startsWith('+')) return colours.green;
  return line.startsWith('-') ? colours.red : (text) => text;
}
