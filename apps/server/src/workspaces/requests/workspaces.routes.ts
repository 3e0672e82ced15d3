import { routes } from '@bottega/contract';
import { type App, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { wantedBell } from '../state/index.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  readWorkspace,
  sleepWorkspace,
  type WorkspaceTools,
  wake,
} from './workspaces.service.ts';

export const which = ({ params }: { params: { project_id: string; workspace_id: string } }) => ({
  projectId: params.project_id,
  id: params.workspace_id,
});

export function workspaceRoutes(app: App, tools: WorkspaceTools & Once): void {
  handle(app, routes.createWorkspace, async (request, reply) => {
    const { project_id: projectId } = request.params;
    const created = await createOnce(tools, request, reply, (trx) =>
      createWorkspace(tools, trx, principalOf(request), projectId, request.body),
    );
    tools.bell.ring(wantedBell);
    return created;
  });
  handle(app, routes.listWorkspaces, async (request) => ({
    data: await listWorkspaces(tools, principalOf(request), request.params.project_id),
  }));
  handle(app, routes.readWorkspace, (request) => readWorkspace(tools, principalOf(request), which(request)));
  handle(app, routes.deleteWorkspace, async (request, reply) => {
    await deleteWorkspace(tools, principalOf(request), which(request));
    return reply.code(204).send(null as never);
  });
  handle(app, routes.startWorkspace, async (request) => {
    await wake(tools, principalOf(request), which(request));
    return readWorkspace(tools, principalOf(request), which(request));
  });
  handle(app, routes.sleepWorkspace, (request) => sleepWorkspace(tools, principalOf(request), which(request)));
}
