import type { FastifyReply, FastifyRequest } from 'fastify';
import { appendEvent } from '../../events/index.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { type Cause, causeOf } from '../../foundation/http/index.ts';
import { nameOf } from '../store/index.ts';
import { findDownload } from './downloads.sql.ts';
import type { Content } from './read-content.service.ts';

/**
 * Whether anybody wants download events. `isAny` is about all projects and answers from memory. `isAnyIn` is about one
 * project and runs a query.
 */
export type DownloadInterest = { isAny(): boolean; isAnyIn(projectId: string): Promise<boolean> };

export type Downloads = {
  /** Call this after the content was sent. It costs nothing if nobody wants the event. */
  note(request: FastifyRequest, reply: FastifyReply, download: { projectId: string; file: Content['file'] }): void;
  settled(): Promise<void>;
};

type Options = { db: Db; interest: DownloadInterest; onError: (error: unknown) => void };

/** Records `file.downloaded`. A download changes nothing, so its event has its own transaction after the response. */
export function noteDownloads({ db, interest, onError }: Options): Downloads {
  const underWay = new Set<Promise<void>>();
  return {
    note(request, reply, { projectId, file }) {
      if (!interest.isAny() || reply.statusCode === 304) return;
      const cause = causeOf(request);
      const work = interest
        .isAnyIn(projectId)
        .then((wanted) => (wanted ? appendDownload(db, { projectId, file, cause }) : undefined))
        .catch(onError)
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    settled: async () => void (await Promise.all(underWay)),
  };
}

async function appendDownload(
  db: Db,
  { projectId, file, cause }: { projectId: string; file: Content['file']; cause: Cause },
): Promise<void> {
  await transaction(db, async (trx) => {
    const download = await findDownload(trx, projectId, cause.actorId);
    if (!download) return;
    const { project, actor } = download;
    const data = {
      file_id: file.id,
      project_id: projectId,
      project_name: project.name,
      file_path: file.path,
      file_name: nameOf(file.path),
      file_type: file.mime_type,
      size: file.size,
      downloaded_by: actor,
    };
    await appendEvent(trx, { type: 'file.downloaded', accountId: project.owner_id, projectId, data }, cause);
  });
}
