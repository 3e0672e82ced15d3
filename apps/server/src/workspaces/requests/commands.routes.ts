import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import {
  asksForEvents,
  eventText,
  lastEventIdOf,
  longestSilenceMs,
  sendEvents,
  stillHere,
} from '../../foundation/http/answers/server-sent-events.ts';
import { type App, handle, malformed, notFound, principalOf } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import type { Links } from '../links/index.ts';
import { agentOf, isReachable } from '../state/index.ts';
import {
  answerOf,
  asAnswer,
  commandView,
  limited,
  type Open,
  pieceView,
  readOutput,
  readResult,
  requestOf,
  runToEnd,
} from './commands.service.ts';
import { piecesOf } from './output-pieces.ts';
import { repeatableId } from './repeatable-id.ts';
import { which } from './workspaces.routes.ts';
import { type WorkspaceTools, wake, workspaceOfMember } from './workspaces.service.ts';

export type CommandTools = WorkspaceTools & {
  links: Links;
  /** Throws if the request's credential is no longer valid. */
  stillHolds(request: FastifyRequest): Promise<void>;
  isDraining(): boolean;
};

type Params = { params: { project_id: string; workspace_id: string; command_id: string } };

const commandOf = ({ params }: Params): string => {
  if (!isId('cmd', params.command_id)) throw notFound('Command');
  return params.command_id;
};

export function commandRoutes(app: App, tools: CommandTools): void {
  /** Opens the workspace for a member who may write. Starts it if it sleeps. */
  const awake = async (request: FastifyRequest & { params: unknown }): Promise<Open> => {
    const running = await wake(tools, principalOf(request), which(request as never));
    return (asked) => tools.links.open(running, asked);
  };
  /** Opens the workspace for any member. Null if it does not run. */
  const running = async (request: FastifyRequest & { params: unknown }): Promise<Open | null> => {
    const row = await workspaceOfMember(tools.db, principalOf(request), which(request as never));
    return isReachable(row) ? (asked) => tools.links.open(row, asked) : null;
  };
  const mustRun = async (request: FastifyRequest & { params: unknown }): Promise<Open> => {
    const open = await running(request);
    if (!open) throw notFound('Command');
    return open;
  };

  handle(app, routes.runCommand, async (request, reply) => {
    const open = await awake(request);
    const principal = principalOf(request);
    const begun = requestOf(request.body, repeatableId('cmd', request), principal.userId);
    const wanted = { ...begun, agent: agentOf(principal) };
    if (!request.body.background) return runToEnd(open, wanted) as never;
    const started = await answerOf(open, wanted);
    return reply.code(201).send(commandView(started) as never);
  });

  handle(app, routes.listCommands, async (request) => {
    const open = await running(request);
    const states = open ? await answerOf(open, { kind: 'commands' }) : [];
    return { data: (Array.isArray(states) ? states : []).slice(-1_000).reverse().map(commandView) };
  });

  handle(app, routes.readCommand, async (request) => readResult(await mustRun(request), commandOf(request)));

  handle(app, routes.readCommandOutput, async (request, reply) => {
    const open = await mustRun(request);
    const id = commandOf(request);
    const after = positionOf(request) ?? request.query.after ?? 0;
    if (!asksForEvents(request)) {
      reply.type('application/json; charset=utf-8');
      return reply.send((await readOutput(open, id, after)) as never);
    }
    const closed = new AbortController();
    const mayStill = async () => {
      await tools.stillHolds(request);
      await workspaceOfMember(tools.db, principalOf(request), which(request));
      return !tools.isDraining();
    };
    const events = followOutput(open, { id, after, signal: closed.signal, mayStill });
    return sendEvents(reply as never, events, () => closed.abort()) as never;
  });

  handle(app, routes.sendCommandInput, async (request, reply) => {
    const open = await awake(request);
    const { data = '', close = false } = request.body;
    const channel = limited(await open({ kind: 'stdin', id: commandOf(request), close }));
    channel.resume();
    channel.end(data);
    await asAnswer(channel.result);
    return reply.code(204).send(null as never);
  });

  handle(app, routes.signalCommand, async (request) => {
    const { signal = 'SIGTERM' } = request.body;
    return commandView(await answerOf(await awake(request), { kind: 'signal', id: commandOf(request), signal }));
  });
}

type Follow = { id: string; after: number; signal: AbortSignal; mayStill(): Promise<boolean> };

const checkMs = 1_000;

/**
 * Yields server-sent events: one for each piece of output, with its position, and at last one for the end of the
 * command.
 */
async function* followOutput(open: Open, { id, after, signal, mayStill }: Follow): AsyncGenerator<string> {
  const channel = await open({ kind: 'output', id, after, follow: true });
  signal.addEventListener('abort', () => channel.destroy(), { once: true });
  const watching = setInterval(() => {
    mayStill().then(
      (isFine) => isFine || channel.destroy(),
      () => channel.destroy(),
    );
  }, checkMs);
  const pieces = piecesOf(channel);
  let next = pieces.next();
  try {
    for (;;) {
      const piece = await Promise.race([next, silence()]);
      if (piece === null) yield `${stillHere}\n`;
      else if (piece.done) break;
      else {
        const { position, stream, text } = pieceView(piece.value);
        yield eventText({ id: position, event: 'output', data: JSON.stringify({ stream, text }) });
        next = pieces.next();
      }
    }
    const state = await channel.result.catch(() => null);
    if (state) yield eventText({ event: 'end', data: JSON.stringify(commandView(state)) });
  } finally {
    clearInterval(watching);
    channel.destroy();
  }
}

const silence = (): Promise<null> => new Promise((resolve) => setTimeout(resolve, longestSilenceMs, null).unref());

function positionOf(request: FastifyRequest): number | undefined {
  const id = lastEventIdOf(request);
  if (id !== undefined && !/^\d{1,15}$/.test(id)) throw malformed('Last-Event-ID must be the id of an event');
  return id === undefined ? undefined : Number(id);
}
