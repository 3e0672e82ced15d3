import { routes } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type App, type HeavyReads, handle, principalOf } from '../../foundation/http/index.ts';
import { listBranch } from '../../repository/files/index.ts';
import { sessionAccess } from './session-access.ts';

/**
 * Lists the files of a session. Guests have no role in the project, so they see only the details that are needed to
 * open a file.
 */
export function sessionFileRoutes(app: App, { db, heavy }: { db: Db; heavy: HeavyReads }): void {
  handle(app, routes.listSessionFiles, async (request, reply) => {
    const { query } = request;
    const { projectId, branch } = await sessionAccess(db, principalOf(request), request.params.session_id);
    const list = () => listBranch(db, { projectId, branch }, query);
    const listed = await (query.recursive ? heavy(request, reply, list) : list());
    return { files: listed.map(({ path, type, size }) => ({ path, type, ...(type === 'file' && { size }) })) };
  });
}
