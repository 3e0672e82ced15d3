import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, AppError, malformed } from '../foundation/http/index.ts';
import { asAppError, logFailure } from '../foundation/http/request/errors.ts';
import { isId } from '../foundation/ids.ts';
import type { Protocol } from './protocol.ts';
import { challengeOf } from './resource-metadata.ts';
import { mustBeMeantForUs } from './same-site.ts';
import { type Narrowing, type ToolSet, toolSetNames } from './tools/index.ts';

type Options = {
  publicUrl: () => string;
  /** Origins whose pages may call this endpoint. */
  origins: readonly string[];
  /** Loads the protocol's library. */
  protocol(): Promise<Protocol>;
};

/**
 * The options of the endpoint. Each request that a tool sends passes through the guard again, which then checks the
 * project.
 */
const agents = {
  config: { access: 'signed-in', audience: 'mcp', forServiceAccounts: true },
  schema: { hide: true },
} as const;

/** The only endpoint for agents. Its errors have the protocol's form, and say how to get a token. */
export function mcpRoutes(app: App, { publicUrl, origins, protocol }: Options): void {
  app.setErrorHandler((error, request, reply) => {
    const known = asAppError(error, request.body);
    logFailure(known, request);
    sendRpcError(known, request, reply, publicUrl());
  });
  app.addHook('onRequest', async (request) => mustBeMeantForUs(request, { publicUrl: publicUrl(), origins }));

  app.post('/mcp', agents, async (request, reply) => {
    // Batches are refused. Only one revision of the protocol had them, and the next one removed them.
    const isOne = typeof request.body === 'object' && !Array.isArray(request.body);
    if (!isOne) throw malformed('The body must be a single message');
    const answer = await (await protocol())({ ...narrowingOf(request), request });
    for (const [name, value] of answer.headers) reply.header(name, value);
    return reply.code(answer.status).send(await answer.text());
  });

  for (const method of ['GET', 'DELETE'] as const) {
    app.route({ ...agents, method, url: '/mcp', exposeHeadRoute: false, handler: noSession });
  }
}

/** Refuses streams and sessions, because every message is independent. */
function noSession(): never {
  throw new AppError('VALIDATION_ERROR', 'Send messages with POST', { status: 405, headers: { allow: 'POST' } });
}

/** The sets of tools in the URL, separated by commas. */
function setsIn(query: unknown): readonly ToolSet[] {
  const { tools = '' } = query as { tools?: unknown };
  const names = typeof tools === 'string' ? tools.split(',').filter((name) => name !== '') : ['?'];
  if (names.includes('all')) return toolSetNames;
  if (!names.every((name) => toolSetNames.includes(name as ToolSet))) {
    throw malformed(`?tools= must be all, or a list of ${toolSetNames.join(', ')}`);
  }
  return names as ToolSet[];
}

function narrowingOf({ query }: FastifyRequest): Narrowing {
  const { project = null, access = 'write' } = query as Record<string, unknown>;
  if (project !== null && !(typeof project === 'string' && isId('prj', project))) {
    throw malformed('?project= must be the id of one project');
  }
  if (access !== 'read' && access !== 'write') throw malformed('?access= must be read or write');
  return { onlyProject: project, readOnly: access === 'read', sets: setsIn(query) };
}

/**
 * JSON-RPC error codes: one for bodies that cannot be parsed, and one for everything else that is refused before a
 * message is read.
 */
const codeOf = ({ status }: AppError): number => (status === 400 ? -32_700 : status >= 500 ? -32_603 : -32_600);

function sendRpcError(error: AppError, request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const data = { code: error.code, request_id: request.id, details: error.details };
  const body = { jsonrpc: '2.0', id: null, error: { code: codeOf(error), message: error.message, data } };
  reply
    .code(error.status)
    .headers({ ...error.headers, ...(error.status === 401 && { 'www-authenticate': challengeOf(request, publicUrl) }) })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}
