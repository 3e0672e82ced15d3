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

/** Checks that other slices make before they access something that belongs to a project. */

export type ReadableProject = ProjectRow;

export async function readableProject(db: Queries, projectId: string, userId: string): Promise<ReadableProject> {
  const project = isId('prj', projectId) ? await findProjectAccess(db, projectId, userId) : undefined;
  return mustSee(project, userId);
}

/** Requires membership. For everything that shows how the project is built and run. */
export async function projectOfMember(db: Queries, projectId: string, userId: string): Promise<ReadableProject> {
  const project = await readableProject(db, projectId, userId);
  mustBeMember(project, userId);
  return project;
}

/** Requires write, without taking a lock. For code that reads first and writes later. */
export async function writableProject(db: Queries, projectId: string, userId: string): Promise<ReadableProject> {
  const project = await readableProject(db, projectId, userId);
  mustHave(project, userId, 'write');
  mustBeActive(project);
  return project;
}

/** Locks the project's row without checking rights, because invited users cannot see the project yet. */
export async function lockKnownProject(
  trx: Trx,
  projectId: string,
  userId: string,
): Promise<WritableProject | undefined> {
  return isId('prj', projectId) ? (await ask(trx, lockingWithActors(projectId, [userId]))).get(userId) : undefined;
}

/** Requires manage, and locks the project's row until the transaction ends. */
export async function lockManageableProject(trx: Trx, projectId: string, userId: string): Promise<WritableProject> {
  const project = mustSee(await lockKnownProject(trx, projectId, userId), userId);
  mustHave(project, userId, 'manage');
  mustBeActive(project);
  return project;
}

export type WritableProject = ProjectToWrite;

/**
 * Requires write, and locks the project's row until the transaction ends, so that writers of the project wait for each
 * other.
 */
export async function lockWritableProject(trx: Trx, projectId: string, userId: string): Promise<WritableProject> {
  return mustBeWritable(await lockKnownProject(trx, projectId, userId), userId);
}

/** For each writer, the project as they see it, or why they may not write. */
export type Writers = Map<string, WritableProject | AppError>;

/** Like `lockWritableProject`, but for several writers, and as a question that can be sent together with others. */
export function lockingForWriters(projectId: string, userIds: string[]): Question<Writers, LockedRow> {
  const { query, read } = lockingWithActors(projectId, isId('prj', projectId) ? userIds : []);
  return { query, read: (rows) => judged(read(rows), userIds) };
}

/**
 * Like `lockingForWriters`, but for several projects. Projects that others have locked, or that do not exist, are left
 * out.
 */
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

/** Reads the project, for a transaction that has already locked its row and checked the rights. */
export async function lockedProject(trx: Trx, projectId: string, userId: string): Promise<WritableProject> {
  return mustSee(await lockKnownProject(trx, projectId, userId), userId);
}
