import { ask, type Queries, type Question, type Trx } from '../foundation/db/index.ts';
import { AppError } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import { mustBeActive, mustBeMember, mustHave, mustSee } from './access/index.ts';
import {
  findProjectAccess,
  type LockedRow,
  lockingFreeWithActors,
  lockingWithActors,
  type ProjectRow,
  type ProjectToWrite,
} from './projects.sql.ts';

/** What other slices ask before they touch what belongs to a project. */

export type ReadableProject = ProjectRow;

export async function readableProject(db: Queries, projectId: string, userId: string): Promise<ReadableProject> {
  const project = isId('prj', projectId) ? await findProjectAccess(db, projectId, userId) : undefined;
  return mustSee(project, userId);
}

/** For what tells how the project is built and run. */
export async function projectOfMember(db: Queries, projectId: string, userId: string): Promise<ReadableProject> {
  const project = await readableProject(db, projectId, userId);
  mustBeMember(project, userId);
  return project;
}

/** The rights of a writer without the lock: for those who look first and write later. */
export async function writableProject(db: Queries, projectId: string, userId: string): Promise<ReadableProject> {
  const project = await readableProject(db, projectId, userId);
  mustHave(project, userId, 'write');
  mustBeActive(project);
  return project;
}

/** Holds the row without judging: also for those to whom the project is hidden, and who were invited to it. */
export async function lockKnownProject(
  trx: Trx,
  projectId: string,
  userId: string,
): Promise<WritableProject | undefined> {
  return isId('prj', projectId) ? (await ask(trx, lockingWithActors(projectId, [userId]))).get(userId) : undefined;
}

/** For what needs manage: holds the project's row as a write does. */
export async function lockManageableProject(trx: Trx, projectId: string, userId: string): Promise<WritableProject> {
  const project = mustSee(await lockKnownProject(trx, projectId, userId), userId);
  mustHave(project, userId, 'manage');
  mustBeActive(project);
  return project;
}

export type WritableProject = ProjectToWrite;

/** Holds the project's row until the transaction ends: its writers go one after the other. */
export async function lockWritableProject(trx: Trx, projectId: string, userId: string): Promise<WritableProject> {
  return mustBeWritable(await lockKnownProject(trx, projectId, userId), userId);
}

/** By who wants to write: the project as they have it, or why not. */
export type Writers = Map<string, WritableProject | AppError>;

/** The same for several writers, to be asked along with what they want to know. */
export function lockingForWriters(projectId: string, userIds: string[]): Question<Writers, LockedRow> {
  const { query, read } = lockingWithActors(projectId, isId('prj', projectId) ? userIds : []);
  return { query, read: (rows) => judged(read(rows), userIds) };
}

/** The same for several projects; those that are held by others, or not there, are left out. */
export function lockingFreeForWriters(
  wanted: { projectId: string; userIds: string[] }[],
): Question<Map<string, Writers>, LockedRow> {
  const pairs = wanted.flatMap(({ projectId, userIds }) => userIds.map((userId) => ({ id: projectId, userId })));
  const { query, read } = lockingFreeWithActors(pairs);
  return {
    query,
    read(rows) {
      const locked = read(rows);
      return new Map(
        wanted.flatMap(({ projectId, userIds }) => {
          const known = locked.get(projectId);
          return known ? [[projectId, judged(known, userIds)] as const] : [];
        }),
      );
    },
  };
}

const judged = (known: Map<string, WritableProject>, userIds: string[]): Writers =>
  new Map(userIds.map((userId) => [userId, orRefusal(() => mustBeWritable(known.get(userId), userId))]));

function mustBeWritable(known: WritableProject | undefined, userId: string): WritableProject {
  const project = mustSee(known, userId);
  mustHave(project, userId, 'write');
  mustBeActive(project);
  return project;
}

function orRefusal<Result>(judge: () => Result): Result | AppError {
  try {
    return judge();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** For a transaction that holds the project's row already and has asked what it may do. */
export async function lockedProject(trx: Trx, projectId: string, userId: string): Promise<WritableProject> {
  return mustSee(await lockKnownProject(trx, projectId, userId), userId);
}
