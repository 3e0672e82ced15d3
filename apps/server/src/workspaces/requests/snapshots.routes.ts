import { routes } from '@bottega/contract';
import { type App, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import type { Links } from '../links/index.ts';
import { wantedBell } from '../state/index.ts';
import { createSnapshot, deleteSnapshot, forkWorkspace, listSnapshots, storeFiles } from './snapshots.service.ts';
import { which } from './workspaces.routes.ts';
import type { WorkspaceTools } from './workspaces.service.ts';

export function snapshotRoutes(app: App, tools: WorkspaceTools & Once & { links: Links }): void {
  handle(app, routes.forkWorkspace, async (request, reply) => {
    const created = await createOnce(tools, request, reply, (trx) =>
      forkWorkspace(tools, trx, principalOf(request), { ...which(request), ...request.body }),
    );
    tools.bell.ring(wantedBell);
    return created;
  });
  handle(app, routes.createSnapshot, async (request, reply) => {
    // Files are stored before the transaction, because a transaction must not wait for a worker. A repeated request
    // stores again what has changed since the first one.
    await storeFiles(tools, principalOf(request), which(request));
    return createOnce(tools, request, reply, (trx) =>
      createSnapshot(trx, principalOf(request), { ...which(request), ...request.body }),
    );
  });
  handle(app, routes.listSnapshots, async (request) => ({
    data: await listSnapshots(tools, principalOf(request), request.params.project_id),
  }));
  handle(app, routes.deleteSnapshot, async (request, reply) => {
    const { project_id: projectId, snapshot_id: id } = request.params;
    await deleteSnapshot(tools, principalOf(request), { projectId, id });
    return reply.code(204).send(null as never);
  });
}
