import type { ServerMessage } from '@bottega/contract';
import { type Queries, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, causeOfRun, notFound } from '../../foundation/http/index.ts';
import { mustBeActive } from '../../projects/access/index.ts';
import { lockKnownProject, type WritableProject } from '../../projects/index.ts';
import { prepareBlob, readHeadsOf, writeLocked } from '../../repository/store/index.ts';
import { followFile } from './file-changes.ts';
import type { LiveText } from './live-text.ts';
import { editorsOf, sendToAll } from './members.ts';
import type { Engine, Room } from './room.ts';
import { mustOwn, OwnershipLost, prepareWrite, writeText } from './storing.ts';
import { type AuthorRow, findOwner, listAuthors } from './texts.sql.ts';

/**
 * Turns a live text into a commit of its file. One transaction stores the text, writes the file and records that the
 * two match. So after a crash, no commit looks like somebody else's.
 */

type Saved = { commit: string | null; revision: number };
type Why = 'asked' | 'auto';

/** Thrown if the file has changed since the text last matched it. */
class FileChanged extends Error {}
/** Thrown if the project's auto_save was turned off a moment ago. */
class AutoSaveOff extends Error {}

const maxTries = 5;

/** Saves a text to its file. Null if the text is closed, or if auto_save was turned off. */
async function saveText(engine: Engine, room: Room, text: LiveText, why: Why): Promise<Saved | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await engine.writeQueue(room.projectId, () => room.queue(() => saveOnce(engine, room, text, why)));
    } catch (error) {
      if (error instanceof AutoSaveOff) return null;
      if (!(error instanceof FileChanged) || tries >= maxTries) throw error;
      await room.queue(() => followFile(engine, room, text));
      if (text.state === 'closed') throw notFound('File');
    }
  }
}

async function saveOnce(engine: Engine, room: Room, text: LiveText, why: Why): Promise<Saved | null> {
  if (text.state === 'closed') return null;
  const { lines, saves } = text;
  lines.reconcile();
  const { revision } = lines;
  const content = lines.whole;
  if (content !== saves.base.content)
    return { commit: await commitText(engine, room, text, { content, why }), revision };
  // A client that is notified of the save may read the file next, so both must match.
  if (!(await isFileOf(engine.db, room, text))) throw new FileChanged();
  noteSaved(text, revision);
  return { commit: null, revision };
}

type Commit = { content: string; why: Why };

async function commitText(
  engine: Engine,
  room: Room,
  text: LiveText,
  { content, why }: Commit,
): Promise<string | null> {
  const { lines, outbox, saves } = text;
  const bytes = Buffer.from(content);
  if (bytes.length > engine.fileLimit)
    throw new AppError('VALIDATION_ERROR', 'The text is larger than the file size limit');
  const { revision } = lines;
  // A user who types during the save is an author of the next commit.
  const { authors } = saves;
  saves.authors = new Map();
  const write = prepareWrite(text);
  try {
    const blob = await prepareBlob(bytes);
    const base = { sha: blob.sha, content };
    const done = await transaction(engine.db, async (trx) => {
      await mustOwn(engine, trx, room);
      const people = await listAuthors(trx, [...authors.keys()]);
      const project = await lockForAuthor(trx, room.projectId, people);
      if (why === 'auto' && !project.auto_save) throw new AutoSaveOff();
      if (!(await isFileOf(trx, room, text))) throw new FileChanged();
      const commit = await writeLocked(trx, project, {
        branch: room.branch,
        changes: [{ action: 'put', path: text.path, blob, expect: 'existing' }],
        message: messageOf(text.path, people, project),
        cause: causeOfRun(project.actor.id, authors.get(project.actor.id)),
        quota: engine.quota,
        publicUrl: engine.publicUrl(),
      });
      return { remember: await writeText(trx, { ...write, batch: { ...write.batch, base } }), sha: commit.sha };
    });
    done.remember();
    if (done.sha) room.tip = done.sha;
    text.setBase(base, { isStored: true });
    outbox.committed();
    noteSaved(text, revision);
    return done.sha?.toString('hex') ?? null;
  } catch (error) {
    saves.authors = new Map([...authors, ...saves.authors]);
    outbox.failed();
    throw error;
  }
}

/** Whether the file is still the one that the text last matched. */
async function isFileOf(db: Queries, room: Room, { id, fileId, path, saves }: LiveText): Promise<boolean> {
  const { projectId, branch } = room;
  const [head] = await readHeadsOf(db, [{ id, projectId, branch, fileId, path }]);
  return head?.path === path && head.blob_sha?.equals(saves.base.sha) === true;
}

function noteSaved({ lines, saves }: LiveText, revision: number): void {
  if (lines.revision > revision) saves.changedDuringSave();
  else saves.saved();
}

/**
 * Locks the project for the commit's author. Every editor had the right to edit in the session, so the author may also
 * be a guest.
 */
async function lockForAuthor(trx: Trx, projectId: string, people: AuthorRow[]): Promise<WritableProject> {
  const actor = people[0]?.id ?? (await findOwner(trx, projectId));
  const project = actor === undefined ? undefined : await lockKnownProject(trx, projectId, actor);
  if (!project) throw notFound('Project');
  mustBeActive(project);
  return project;
}

/** The first editor is the author; the others are in git trailers for co-authors. */
function messageOf(path: string, people: AuthorRow[], { actor }: WritableProject): string {
  const clean = (text: string) => text.replaceAll(/[<>\p{Cc}]/gu, '').trim();
  const others = people.filter(({ id }) => id !== actor.id);
  const trailers = others.map(({ name, email }) => `Co-authored-by: ${clean(name) || clean(email)} <${clean(email)}>`);
  return [`Edit ${path.slice(path.lastIndexOf('/') + 1)}`, ...(trailers.length > 0 ? ['', ...trailers] : [])].join(
    '\n',
  );
}

/** Saves, and sends the result to members who have the text open. */
export async function saveAndTell(engine: Engine, room: Room, text: LiveText, why: Why): Promise<Saved | null> {
  const { lastChangeAt } = text.saves;
  const editors = () => editorsOf(room.members, text);
  try {
    const saved = await saveText(engine, room, text, why);
    if (saved?.commit || (saved && why === 'asked')) {
      engine.metrics.saved('saved');
      const { commit: commit_sha, revision } = saved;
      sendToAll(editors(), { type: 'saved', file_path: text.path, commit_sha, revision });
    }
    return saved;
  } catch (error) {
    if (error instanceof OwnershipLost) throw error;
    engine.metrics.saved('failed');
    if (error instanceof AppError) {
      sendToAll(editors(), saveFailed(text, error));
      text.saves.refused(lastChangeAt);
    } else engine.onError(error, 'failed to save a live text');
    throw error;
  }
}

function saveFailed(text: LiveText, error: AppError): ServerMessage {
  const { code, message } = error;
  return { type: 'error', code, message, details: { file_path: text.path, unsaved: true } };
}

/**
 * Saves a text without a request. Nobody waits for the result. Members who have the text open receive it as a message.
 */
export async function autoSave(engine: Engine, room: Room, text: LiveText): Promise<void> {
  // To compare a large text with its file takes ten milliseconds.
  if (text.saves.name === 'saved') return;
  await saveAndTell(engine, room, text, 'auto').catch((error: unknown) => {
    if (error instanceof OwnershipLost) room.lost();
  });
}

export async function autoSaveAll(engine: Engine, room: Room): Promise<void> {
  for (const text of [...room.texts.values()]) await autoSave(engine, room, text);
}
