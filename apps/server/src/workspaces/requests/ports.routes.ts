import { routes, type WorkspacePort } from '@bottega/contract';
import { type App, handle, notFound, type Principal, principalOf } from '../../foundation/http/index.ts';
import type { Passes } from '../previews/index.ts';
import { enterUrl, makerOf, ticketSeconds } from '../previews/index.ts';
import * as rows from '../state/index.ts';
import { which } from './workspaces.routes.ts';
import { type WorkspaceTools, workspaceOfMember, workspaceOfWriter } from './workspaces.service.ts';

type Options = WorkspaceTools & { passes: Passes; portUrl(workspaceId: string, port: number): string };

const portOf = ({ params }: { params: { port: string } }): number => {
  const port = Number(params.port);
  if (!/^\d{1,5}$/.test(params.port) || port < 1 || port > 65_535) throw notFound('Port');
  return port;
};

export function portRoutes(app: App, options: Options): void {
  const { db, passes, portUrl } = options;
  const view = (id: string, row: rows.PortRow): WorkspacePort => rows.portView(row, portUrl(id, row.port));

  handle(app, routes.listPorts, async (request) => {
    const { id } = await workspaceOfMember(db, principalOf(request), which(request));
    return { data: (await rows.listPorts(db, id)).map((row) => view(id, row)) };
  });
  handle(app, routes.changePort, async (request) => {
    const { id } = await workspaceOfWriter(db, principalOf(request), which(request));
    return view(id, await rows.changePort(db, id, portOf(request), request.body));
  });

  /** An address with a ticket, with which this user's browser can open the port for the first time. */
  const ticketFor = (workspace: string, port: number, { userId: user, credential }: Principal, to: string) =>
    enterUrl(portUrl(workspace, port), passes.make('ticket', { workspace, port, user, by: makerOf(credential) }), to);

  handle(app, routes.createPortTicket, async (request, reply) => {
    const principal = principalOf(request);
    const { id } = await workspaceOfMember(db, principal, which(request));
    const url = ticketFor(id, portOf(request), principal, request.body.path ?? '/');
    const expires_at = new Date(Date.now() + ticketSeconds * 1000).toISOString();
    return reply.code(201).send({ url, expires_at } as never);
  });
  handle(app, routes.openPort, async (request, reply) => {
    const principal = principalOf(request);
    const { id } = await workspaceOfMember(db, principal, which(request));
    return reply.redirect(ticketFor(id, portOf(request), principal, request.query.to ?? '/'), 303) as never;
  });
}
