import type { MergeRequest, MergeRequestQuery, MergeRequestVersion, OwnMergeRequestQuery } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type Cause, notFound, type Principal } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import * as rows from '../state/index.ts';
import { upToDate } from './versions.service.ts';

export type Reading = { db: Db; publicUrl(): string };
export type Which = { projectId: string; number: number };

/** The request as it is now, for somebody who may read the project. */
export async function readableRequest(
  { db, publicUrl }: Reading,
  { userId }: Principal,
  { projectId, number }: Which,
  cause: Cause,
): Promise<rows.RequestRow> {
  const project = await readableProject(db, projectId, userId);
  const row = await rows.findRequest(db, projectId, number);
  if (!row) throw notFound('Merge request');
  return project.status === 'archived' ? row : upToDate({ db, project, publicUrl: publicUrl(), cause }, row);
}

export async function listRequests(
  { db, publicUrl }: Reading,
  { userId }: Principal,
  projectId: string,
  { page, limit, cursor, ...filter }: MergeRequestQuery,
): Promise<{ data: MergeRequest[]; total: number; next?: string }> {
  await readableProject(db, projectId, userId);
  const named = withMe(filter, userId);
  const after = cursor === undefined ? null : Number(cursor);
  const skip = after === null ? (page - 1) * limit : 0;
  const [found, total] = await Promise.all([
    rows.listRequests(db, projectId, named, { after, skip, limit }),
    rows.countRequests(db, projectId, named),
  ]);
  const last = found.length === limit ? found.at(-1) : undefined;
  const data = found.map((row) => rows.requestView(row, publicUrl()));
  return { data, total, ...(last && { next: String(last.number) }) };
}

/** The caller's requests in all projects, the most recently changed first. */
export async function listOwnRequests(
  { db, publicUrl }: Reading,
  { userId }: Principal,
  { part, state, page, limit }: OwnMergeRequestQuery,
): Promise<{ data: MergeRequest[]; total: number }> {
  const found = await rows.listOwnRequests(db, { userId, part, state }, { skip: (page - 1) * limit, limit });
  return { data: found.data.map((row) => rows.requestView(row, publicUrl())), total: found.total };
}

type Filter = Omit<MergeRequestQuery, 'page' | 'limit' | 'cursor'>;

const withMe = (filter: Filter, userId: string): Filter => {
  const people = (['author', 'reviewer', 'assignee'] as const).filter((field) => filter[field] === 'me');
  return { ...filter, ...Object.fromEntries(people.map((field) => [field, userId])) };
};

export async function listVersions(
  reading: Reading,
  principal: Principal,
  which: Which,
  cause: Cause,
): Promise<MergeRequestVersion[]> {
  const row = await readableRequest(reading, principal, which, cause);
  return (await rows.listVersions(reading.db, row)).map(rows.versionView);
}
