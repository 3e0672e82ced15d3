import type { NewEvent } from '../../events/index.ts';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import type { WritableProject } from '../../projects/index.ts';
import { diffLines } from '../objects/diff-lines.ts';
import { isBinary, type LineChanges, lineChanges } from '../objects/line-changes.ts';
import type { HeadFile } from './changes.ts';
import { largestCompared } from './head.sql.ts';
import { nameOf } from './paths.ts';
import type { Plan } from './plan-commit.ts';

/** One file that a commit, by REST or by push, created, changed, moved or deleted. */
export type FileEvent = {
  file: HeadFile;
  before: HeadFile | null;
  deleted: boolean;
  /** The content on both sides (null: none), or null where it is too much to compare. */
  texts: { before: Buffer | null; after: Buffer | null } | null;
};

type Context = { project: WritableProject; commit: Buffer | null; branch: string; publicUrl: string };

/** Counting the lines of one change is quick; of a hundred in a row it would be felt. */
export async function asEvents(events: FileEvent[], context: Context): Promise<NewEvent[]> {
  const made: NewEvent[] = [];
  const { breathe } = createBudget({ name: 'file events', message: 'Too many files at once' });
  for (const event of events) {
    await breathe();
    made.push(asEvent(event, context));
  }
  return made;
}

/** The former contents are by former path, of those files that are worth comparing. */
type Write = { put: Plan['put']; deleted: HeadFile[]; formerContents: ReadonlyMap<string, Buffer> };

/** What happened to each file in a write by REST. */
export function eventsOfWrite({ put, deleted, formerContents }: Write): FileEvent[] {
  const textsOf = ({ before, content }: Write['put'][number]): FileEvent['texts'] => {
    if (!content || content.length > largestCompared) return null;
    if (!before) return { before: null, after: content };
    const old = formerContents.get(before.path);
    return old ? { before: old, after: content } : null;
  };
  return fileEvents(put, deleted, textsOf);
}

export function fileEvents<Put extends Pick<FileEvent, 'file' | 'before'>>(
  put: Put[],
  deleted: HeadFile[],
  textsOf: (one: Put) => FileEvent['texts'],
): FileEvent[] {
  return [
    ...put.map((one) => ({ file: one.file, before: one.before, deleted: false, texts: textsOf(one) })),
    ...deleted.map((file) => ({ file, before: file, deleted: true, texts: null })),
  ];
}

type FileEventType = 'file.created' | 'file.updated' | 'file.deleted';

function asEvent({ file, before, deleted, texts }: FileEvent, context: Context): NewEvent {
  const { project, commit, branch, publicUrl } = context;
  const type: FileEventType = deleted ? 'file.deleted' : before ? 'file.updated' : 'file.created';
  const { name, email, username } = project.actor;
  const sha = commit?.toString('hex') ?? null;
  return {
    type,
    accountId: project.owner_id,
    projectId: project.id,
    data: {
      file_id: file.id,
      project_id: project.id,
      project_name: project.name,
      file_path: file.path,
      file_name: nameOf(file.path),
      file_type: file.mimeType,
      size: file.size,
      updated_by: { name, email, username },
      changes: linesOf(texts),
      commit_sha: sha,
      branch: sha === null ? null : branch,
      diff_url: sha === null ? null : `${publicUrl}/v1/projects/${project.id}/commits/${sha}`,
      ...(before && before.path !== file.path && { previous_path: before.path }),
    },
  };
}

function linesOf(texts: FileEvent['texts']): LineChanges | null {
  if (!texts) return null;
  const [before, after] = [texts.before ?? Buffer.alloc(0), texts.after ?? Buffer.alloc(0)];
  if (isBinary(before) || isBinary(after)) return { lines_added: 0, lines_removed: 0, lines_modified: 0 };
  return lineChanges(diffLines(before.toString('utf8'), after.toString('utf8')));
}
