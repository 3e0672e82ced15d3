import type { ProjectDetail, ProjectListItem, ProjectListQuery } from '@bottega/contract';
import type { Db, PointReads } from '../foundation/db/index.ts';
import type { Principal } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import { mustSee } from './access/index.ts';
import * as listing from './projects.listing.sql.ts';
import { listOfAnybody } from './projects.public.sql.ts';
import * as rows from './projects.sql.ts';
import { type AppUrl, asProjectDetail, asProjectListItem, asPublicProject } from './projects.view.ts';

export async function readProject(
  db: PointReads,
  { userId }: Principal,
  id: string,
  appUrl: AppUrl,
): Promise<ProjectDetail> {
  const row = isId('prj', id) ? await rows.findProject(db, id, userId) : undefined;
  return asProjectDetail(mustSee(row, userId), userId, appUrl);
}

export async function listProjects(
  { db, reads }: { db: Db; reads: PointReads },
  { userId }: Principal,
  query: ProjectListQuery,
  appUrl: AppUrl,
): Promise<{ data: ProjectListItem[]; total: number }> {
  if (query.visibility === 'public' || query.starred) {
    const page = await listOfAnybody(db, userId, query);
    return { data: page.rows.map((row) => asPublicProject(row, userId, appUrl)), total: page.total };
  }
  const { rows: page, total } = await listing.listPage(listing.isNearPage(query) ? reads : db, userId, query);
  return { data: page.map((row) => asProjectListItem(row, appUrl)), total };
}
