import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { exchange, passUpgrade, plainPage, refuseUpgrade } from '../../deployments/index.ts';
import { createKeyedCounter } from '../../foundation/concurrency/keyed-counter.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Credential } from '../../foundation/http/index.ts';
import { hostOf } from '../../foundation/tls/own-names.ts';
import type { Channel } from '../agent/channels.mjs';
import type { Links } from '../links/index.ts';
import { isReachable, type RunningWorkspace, type WorkspaceRow } from '../state/index.ts';
import { enter, isEntering, sendToSignIn } from './entering.ts';
import { isFromForeignPage } from './foreign-pages.ts';
import { createHeldPasses } from './held-passes.ts';
import { maySee } from './may-see.ts';
import { createOpenVisits } from './open-visits.ts';
import type { Pass, Passes } from './passes.ts';
import type { PortAddress } from './port-address.ts';
import { cookieName, cookiesOf, headersOf, requestTo, toApp } from './port-requests.ts';
import { waitingPage } from './waiting-page.ts';

export type Previews = {
  answer(at: PortAddress, request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(at: PortAddress, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
};

type Options = {
  db: Db;
  credentialsHold(credentials: Credential[]): Promise<boolean[]>;
  links: Links;
  passes: Passes;
  publicUrl(): string;
  appsUrl(): string;
  /** Starts a sleeping workspace. Resolves with a text if it cannot start. */
  wake(workspace: WorkspaceRow): Promise<RunningWorkspace | string>;
};

const mostUnderWay = 256;
const dialMs = 30_000;
const cannotStart = 'The workspace could not start';

/** Serves the ports of workspaces on the listener of apps, each port at its own host. */
export function createPreviews(options: Options): Previews {
  const { links, passes } = options;
  const underWay = createKeyedCounter();
  const tools = { db: options.db, isHeld: createHeldPasses(options) };
  const visits = createOpenVisits(async (at, pass) => (await maySee(tools, at, pass))?.isAllowed === true);
  const origins = { publicUrl: options.publicUrl, appsHost: () => hostOf(options.appsUrl()) };

  async function counted(id: string, task: () => Promise<void>, refuse: () => void): Promise<void> {
    if (underWay.of(id) >= mostUnderWay) return refuse();
    underWay.add(id);
    await task().finally(() => underWay.remove(id));
  }

  const passOf = (at: PortAddress, request: IncomingMessage): Pass | null => {
    const pass = passes.read('cookie', cookiesOf(request).get(cookieName));
    return pass?.workspace === at.workspaceId && pass.port === at.port ? pass : null;
  };

  async function answer(at: PortAddress, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isEntering(request)) return enter(options, at, request, response);
    const pass = passOf(at, request);
    const seen = await maySee(tools, at, pass);
    if (seen === null) return plainPage(response, 404, 'There is no workspace at this address');
    if (seen.needsPass) {
      if (request.method === 'GET') return sendToSignIn(options, at, seen.workspace, request, response);
      return plainPage(response, 401, 'You must sign in to see this port');
    }
    if (!seen.isAllowed) return plainPage(response, 403, 'You are not allowed to see this port');
    if (!seen.isPublic && isFromForeignPage(request, at, origins)) {
      return plainPage(response, 403, 'The request came from a page on another site');
    }
    const running = isReachable(seen.workspace) ? seen.workspace : await options.wake(seen.workspace);
    // Only members see the reason, because it may name files and branches.
    if (typeof running === 'string') return plainPage(response, 503, seen.isPublic ? cannotStart : running);
    const channel = await dial(links, running, at.port);
    if (!channel) return waitingPage(response, at.port);
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
    const upstream = requestTo(channel, at, request, headersOf(request, at, options.appsUrl()));
    const leave = visits.watch(at, pass, () => response.destroy());
    await exchange(upstream, { to: toApp(request), hasBody, request, response, answerMs: 300_000 }).finally(leave);
  }

  async function upgrade(at: PortAddress, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const pass = passOf(at, request);
    const seen = await maySee(tools, at, pass);
    if (seen === null) return refuseUpgrade(socket, 404);
    if (seen.needsPass || !seen.isAllowed) return refuseUpgrade(socket, 403);
    if (!seen.isPublic && isFromForeignPage(request, at, origins)) return refuseUpgrade(socket, 403);
    const channel = isReachable(seen.workspace) ? await dial(links, seen.workspace, at.port) : null;
    if (!channel) return refuseUpgrade(socket, 503);
    const headers = {
      ...headersOf(request, at, options.appsUrl()),
      connection: 'Upgrade',
      upgrade: request.headers.upgrade ?? '',
    };
    const leave = visits.watch(at, pass, () => socket.destroy());
    await passUpgrade(requestTo(channel, at, request, headers), { to: toApp(request), socket, head }).finally(leave);
  }

  return {
    answer: (at, request, response) =>
      counted(
        at.workspaceId,
        () => answer(at, request, response),
        () => plainPage(response, 503, 'The workspace is already handling too many requests'),
      ),
    upgrade: (at, request, socket, head) =>
      counted(
        at.workspaceId,
        () => upgrade(at, request, socket, head),
        () => refuseUpgrade(socket, 503),
      ),
  };
}

/** Connects to the port. Null if nothing listens on it. */
async function dial(links: Links, workspace: RunningWorkspace, port: number): Promise<Channel | null> {
  const channel = await links.open(workspace, { kind: 'dial', port });
  // A program in the workspace may have replaced the agent, and may never answer.
  const late = setTimeout(() => channel.destroy(), dialMs);
  const isThere = await new Promise<boolean>((resolve) => {
    channel.once('control', () => resolve(true));
    channel.result.then(
      () => resolve(false),
      () => resolve(false),
    );
  });
  clearTimeout(late);
  if (!isThere) channel.destroy();
  return isThere ? channel : null;
}
