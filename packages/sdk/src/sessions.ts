import type { ParticipantsResource, SessionsResource } from './generated/resources.ts';
import type { LiveSession, WebSocketConstructor } from './live/index.ts';
import type { Transport } from './transport.ts';

export type JoinOptions = {
  /** The token of an invite link. Users who may read the project do not need it. */
  inviteToken?: string | undefined;
  /** For platforms without a WebSocket, such as Node 20: the class of the package `ws`. */
  WebSocket?: WebSocketConstructor | undefined;
};

export interface Sessions extends SessionsResource {
  /** Joins a session to edit its files with others. The live client is loaded on first use. */
  join(sessionId: string, options?: JoinOptions): Promise<LiveSession>;
}

type Resources = { sessions: SessionsResource; participants: ParticipantsResource };

export function withJoin(transport: Transport, { sessions, participants }: Resources): Sessions {
  return {
    ...sessions,
    async join(sessionId, { inviteToken, WebSocket = platformWebSocket() } = {}) {
      if (inviteToken !== undefined) await participants.join(sessionId, { invite_token: inviteToken });
      const { joinLive } = await import('./live/index.ts');
      return joinLive({
        sessionId,
        WebSocket,
        address: async () => socketAddress(transport.baseUrl, (await sessions.createTicket(sessionId)).ws_url),
        listParticipants: async () => (await participants.list(sessionId)).participants,
      });
    },
  };
}

/**
 * The address of the socket. The ticket is sent to the client's own base URL, which may differ from the public URL of
 * the service.
 */
function socketAddress(baseUrl: string, ticketUrl: string): string {
  const { pathname, search } = new URL(ticketUrl);
  const [path = '/v1/'] = /\/v1\/.*/.exec(pathname) ?? [];
  return `${baseUrl.replace(/^http/, 'ws')}${path}${search}`;
}

function platformWebSocket(): WebSocketConstructor {
  const { WebSocket } = globalThis as { WebSocket?: WebSocketConstructor };
  if (!WebSocket)
    throw new TypeError('This runtime has no WebSocket: pass the class of the package `ws` as `WebSocket`');
  return WebSocket;
}
