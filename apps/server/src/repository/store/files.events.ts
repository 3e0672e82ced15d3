import type { NewEvent } from '../../events/index.ts';
import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import { countChanges, noLines } from '../objects/count-changes.ts';
import type { LineChanges } from '../objects/line-changes.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import type { HeadFile } from './changes.ts';
import { readBlob } from './objects.service.ts';
import { nameOf } from './paths.ts';
import type { Plan } from './plan-commit.ts';

/** A file that a commit, through REST or a push, created, changed, moved or deleted. */
export type FileEvent = {
  file: HeadFile;
  before: HeadFile | null;
  deleted: boolean;
  /** The contents before and after, if they are loaded. */
  contents: { before: Buffer | undefined; after: Buffer | undefined };
};

type Context = { project: WritableProject; commit: Buffer | null; branch: string; publicUrl: string };

/**
 * Maximum number of contents that are read one by one for a write, because other writes wait for the project meanwhile.
 */
const maxRead = { entries: 4_000, bytes: 256 * 1024 * 1024 };

export async function asEvents(trx: Trx, events: FileEvent[], context: Context): Promise<NewEvent[]> {
  const made: NewEvent[] = [];
  const budget = createBudget({ name: 'file events', ...maxRead, message: 'Too many files at once' });
  // The cache is keyed by both contents, because the same pair may be at thousands of paths.
  const known = new Map<string, LineChanges | null>();
  for (const event of events) {
    await budget.maybeYield();
    const key = `${event.before?.blobSha.toString('hex')} ${event.deleted || event.file.blobSha.toString('hex')}`;
    const changes = known.get(key) ?? (await changesOf(trx, context.project.id, event, budget));
    known.set(key, changes);
    made.push(asEvent(event, changes, context));
  }
  return made;
}

/**
 * The changed lines. Null if the content of a new or deleted file is not loaded, or if the write exceeds the limit of
 * reads.
 */
async function changesOf(trx: Trx, projectId: string, event: FileEvent, budget: Budget): Promise<LineChanges | null> {
  const { file, before, deleted, contents } = event;
  const none = Buffer.alloc(0);
  if (!before) return contents.after ? countChanges(none, contents.after, budget.maybeYield) : null;
  if (deleted) return contents.before ? countChanges(contents.before, none, budget.maybeYield) : null;
  if (before.blobSha.equals(file.blobSha)) return noLines;
  const read = async ({ blobSha, size }: HeadFile): Promise<Buffer | undefined> => {
    const blob = budget.affords({ entries: 1, bytes: size }) ? await readBlob(trx, projectId, blobSha) : undefined;
    return blob && inflateObjectAsync(blob.deflated, blob.size);
  };
  const old = contents.before ?? (await read(before));
  const now = contents.after ?? (await read(file));
  return old && now ? countChanges(old, now, budget.maybeYield) : null;
}

/** `former` contains the previous contents by previous path, for files small enough to be loaded with the head. */
type Write = { put: Plan['put']; deleted: HeadFile[]; formerContents: ReadonlyMap<string, Buffer> };

/** The file events of a write by REST. */
export function eventsOfWrite({ put, deleted, formerContents }: Write): FileEvent[] {
  const contentsOf = ({ before, content }: Happened & Partial<Write['put'][number]>): FileEvent['contents'] => ({
    before: before ? formerContents.get(before.path) : undefined,
    after: content ?? undefined,
  });
  return fileEvents(put, deleted, contentsOf);
}

type Happened = Pick<FileEvent, 'file' | 'before'>;

export function fileEvents<Put extends Happened>(
  put: Put[],
  deleted: HeadFile[],
  contentsOf: (one: Put | Happened) => FileEvent['contents'],
): FileEvent[] {
  const gone = deleted.map((file) => ({ file, before: file }));
  return [
    ...put.map((one) => ({ file: one.file, before: one.before, deleted: false, contents: contentsOf(one) })),
    ...gone.map((one) => ({ ...one, deleted: true, contents: contentsOf(one) })),
  ];
}

function asEvent({ file, before, deleted }: FileEvent, changes: LineChanges | null, context: Context): NewEvent {
  const { project, commit, branch, publicUrl } = context;
  const { name, email, username } = project.actor;
  const sha = commit?.toString('hex') ?? null;
  const data = {
    file_id: file.id,
    project_id: project.id,
    project_name: project.name,
    file_path: file.path,
    file_name: nameOf(file.path),
    file_type: file.mimeType,
    size: file.size,
    updated_by: { name, email, username },
    commit_sha: sha,
    branch: sha === null ? null : branch,
    diff_url: sha === null ? null : `${publicUrl}/v1/projects/${project.id}/commits/${sha}`,
    ...(before && before.path !== file.path && { previous_path: before.path }),
  };
  const about = { accountId: project.owner_id, projectId: project.id };
  if (before && !deleted) return { type: 'file.updated', ...about, data: { ...data, changes: changes ?? noLines } };
  return { type: deleted ? 'file.deleted' : 'file.created', ...about, data: { ...data, changes } };
}
