import type { ServerMessage } from '@bottega/contract';
import { type Queries, type Trx, transaction } from '../../foundation/db/transaction.ts';
import { AppError, notFound } from '../../foundation/http/app-error.ts';
import { lockKnownProject, mustBeActive, type WritableProject } from '../../projects/index.ts';
import { findFileOf, prepareBlob, writeLocked } from '../../repository/store/index.ts';
import { followFile } from './file-changes.ts';
import type { LiveText } from './live-text.ts';
import { type Engine, editorsOf, isHeld, type Room, tell } from './room.ts';
import { mustOwn, OwnershipLost, take, write } from './storing.ts';
import { type AuthorRow, findOwner, listAuthors } from './texts.sql.ts';

/**
 * A live text becomes a commit of its file: one transaction that stores the text, writes the file and notes that the two
 * are the same now. So a crash never leaves a commit that would be taken for somebody else's.
 */

export type Saved = { commit: string | null; revision: number };
type Why = 'asked' | 'auto';

/** The file is not what the text was last brought together with. */
class FileChanged extends Error {}

const mostTries = 5;

/** Null where nothing is to be saved, or not without being asked. */
export async function saveText(engine: Engine, room: Room, text: LiveText, why: Why): Promise<Saved | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await engine.turns(room.projectId, () => room.inTurn(() => saveOnce(engine, room, text, why)));
    } catch (error) {
      if (!(error instanceof FileChanged) || tries >= mostTries) throw error;
      await room.inTurn(() => followFile(engine, room, text));
      if (room.texts.get(text.path) !== text) throw notFound('File');
    }
  }
}

async function saveOnce(engine: Engine, room: Room, text: LiveText, why: Why): Promise<Saved | null> {
  if (room.isGone || room.texts.get(text.path) !== text) return null;
  text.reconcile();
  const content = text.text.toString();
  const revision = text.revision;
  if (content === text.base.content) {
    // Whoever hears that it is saved may read the file next.
    if (!(await isFileOf(engine.db, room, text))) throw new FileChanged();
    noteSaved(text, revision);
    return { commit: null, revision };
  }
  const bytes = Buffer.from(content);
  if (bytes.length > engine.fileLimit) throw new AppError('VALIDATION_ERROR', 'The text is larger than a file may be');
  const authors = [...text.unsavedBy];
  text.unsavedBy = new Set();
  const taken = take(text);
  try {
    const blob = await prepareBlob(bytes);
    const done = await transaction(engine.db, async (trx) => {
      await mustOwn(engine, trx, room.projectId);
      const people = await listAuthors(trx, authors);
      const project = await lockForAuthor(trx, room.projectId, people);
      if (why === 'auto' && !project.auto_save) return null;
      if (!(await isFileOf(trx, room, text))) throw new FileChanged();
      const committed = await writeLocked(trx, project, {
        changes: [{ action: 'put', path: text.path, blob, expect: 'existing' }],
        message: messageOf(text.path, people, project),
        cause: { actorId: project.actor.id, requestId: null, idempotencyKey: null },
        quota: engine.quota,
        publicUrl: engine.publicUrl(),
      });
      const unstored = { ...taken.unstored, base: { sha: blob.sha, content } };
      return { remember: await write(trx, { ...taken, unstored }), sha: committed.sha };
    });
    if (!done) throw new NotWanted();
    done.remember();
    text.setBase({ sha: blob.sha, content }, { isStored: true });
    taken.unstored.stored();
    noteSaved(text, revision);
    return { commit: done.sha?.toString('hex') ?? null, revision };
  } catch (error) {
    for (const author of authors) text.unsavedBy.add(author);
    taken.unstored.failed();
    if (error instanceof NotWanted) return null;
    throw error;
  }
}

/** Whether the file is still what the text was last brought together with. */
async function isFileOf(db: Queries, { projectId }: Room, { fileId, path, base }: LiveText): Promise<boolean> {
  const file = await findFileOf(db, { projectId, fileId, path });
  return file?.path === path && file.blob_sha.equals(base.sha);
}

/** The project's auto_save was turned off a moment ago. */
class NotWanted extends Error {}

function noteSaved(text: LiveText, revision: number): void {
  text.savedRevision = revision;
  text.firstUnsavedAt = text.revision > revision ? Date.now() : null;
}

/** Whoever edited had the right to, in the session; so the commit is theirs, also where they are a guest. */
async function lockForAuthor(trx: Trx, projectId: string, people: AuthorRow[]): Promise<WritableProject> {
  const actor = people[0]?.id ?? (await findOwner(trx, projectId));
  const project = actor === undefined ? undefined : await lockKnownProject(trx, projectId, actor);
  if (!project) throw notFound('Project');
  mustBeActive(project);
  return project;
}

/** The first is the author; git has a custom for the others. */
function messageOf(path: string, people: AuthorRow[], { actor }: WritableProject): string {
  const clean = (text: string) => text.replaceAll(/[<>\p{Cc}]/gu, '').trim();
  const others = people.filter(({ id }) => id !== actor.id);
  const trailers = others.map(({ name, email }) => `Co-authored-by: ${clean(name) || clean(email)} <${clean(email)}>`);
  return [`Edit ${path.slice(path.lastIndexOf('/') + 1)}`, ...(trailers.length > 0 ? ['', ...trailers] : [])].join(
    '\n',
  );
}

/** Saves, and tells whoever has the text open how it went. */
export async function saveAndTell(engine: Engine, room: Room, text: LiveText, why: Why): Promise<Saved | null> {
  const asked = text.lastChangeAt;
  try {
    const saved = await saveText(engine, room, text, why);
    if (saved?.commit || (saved && why === 'asked')) {
      engine.metrics.saved('saved');
      const message: ServerMessage = {
        type: 'saved',
        file_path: text.path,
        commit_sha: saved.commit,
        revision: saved.revision,
      };
      tell(editorsOf(room, text), message);
    }
    return saved;
  } catch (error) {
    if (error instanceof OwnershipLost) throw error;
    engine.metrics.saved('failed');
    if (error instanceof AppError) tell(editorsOf(room, text), saveFailed(text, error));
    else engine.onError(error, 'a live text could not be saved');
    // Until it is changed again, or somebody asks: most of what refuses a save does not pass by itself.
    if (error instanceof AppError) text.refusedAt = asked;
    throw error;
  }
}

function saveFailed(text: LiveText, error: AppError): ServerMessage {
  const { code, message } = error;
  return { type: 'error', code, message, details: { file_path: text.path, unsaved: true } };
}

/** Whether typing has paused, or has gone on for long enough. */
export function isDue(engine: Engine, room: Room, text: LiveText, now: number): boolean {
  const { savePauseMs, saveIntervalMs } = engine.limits;
  if (!room.autoSave || !text.hasUnsaved() || text.lastChangeAt === text.refusedAt) return false;
  if (text.firstUnsavedAt === null) text.firstUnsavedAt = now;
  return now >= Math.min(text.lastChangeAt + savePauseMs, text.firstUnsavedAt + saveIntervalMs) || !isHeld(room, text);
}
