import type { JoinedSession, Participant, ServerMessage, Session } from '@bottega/contract';
import { WebSocket } from 'ws';
import { call } from '../clients/http-client.ts';
import { waitFor } from '../parts/wait-for.ts';
import type { Reached, TestUser } from '../service/test-service.ts';
import { createProject } from './sample-projects.ts';

type Known = Pick<TestUser, 'key'>;

/** One request below /collaboration/sessions. */
export function onSessions<Body = Record<string, unknown>>(
  service: Reached,
  user: Known,
  [method, path = '', json]: [method: string, path?: string, json?: unknown],
) {
  const url = `${service.url}/v1/collaboration/sessions${path}`;
  return call<Body>(method, url, { token: user.key, ...(json !== undefined && { json }) });
}

export async function startSession(
  service: Reached,
  user: TestUser,
  input: Record<string, unknown> = {},
): Promise<Session> {
  const workspace_id = input.workspace_id ?? (await createProject(service, user)).id;
  const answer = await onSessions<Session>(service, user, ['POST', '', { name: 'Sample', ...input, workspace_id }]);
  if (answer.status !== 201) throw new Error(`no session: ${answer.text}`);
  return answer.body;
}

export const inviteTokenOf = ({ invite_link: link }: Session): string =>
  new URL(link ?? '').searchParams.get('invite') ?? '';

export async function joinSession(
  service: Reached,
  user: Known,
  session: Session,
  { byLink = false } = {},
): Promise<JoinedSession> {
  const json = byLink ? { invite_token: inviteTokenOf(session) } : {};
  const answer = await onSessions<JoinedSession>(service, user, ['POST', `/${session.session_id}/join`, json]);
  if (answer.status !== 200) throw new Error(`not joined: ${answer.text}`);
  return answer.body;
}

export async function participantsOf(service: Reached, user: Known, session: Session): Promise<Participant[]> {
  const path = `/${session.session_id}/participants`;
  return (await onSessions<{ participants: Participant[] }>(service, user, ['GET', path])).body.participants;
}

export type TestSocket = {
  ws: WebSocket;
  messages: ServerMessage[];
  binary: Buffer[];
  send(message: unknown): void;
  /** The first unread message of this type that matches; waits for it. */
  next<Type extends ServerMessage['type']>(
    type: Type,
    fits?: (message: Extract<ServerMessage, { type: Type }>) => boolean,
  ): Promise<Extract<ServerMessage, { type: Type }>>;
  closed: Promise<{ code: number; reason: string }>;
  headers: Record<string, string | string[] | undefined>;
};

type Opening = { query?: string; mount?: string; headers?: Record<string, string>; key?: string; url?: string };

export const socketUrl = (service: Reached, sessionId: string, { query = '', mount = '/v1' }: Opening = {}): string =>
  `${service.url.replace('http', 'ws')}${mount}/collaboration/sessions/${sessionId}/ws${query}`;

/** The answer of a refused upgrade. */
export class SocketRefused extends Error {
  readonly answer: { status: number; headers: Headers; body: unknown; text: string };
  constructor(answer: SocketRefused['answer']) {
    super(`the socket was refused with ${answer.status}: ${answer.text}`);
    this.answer = answer;
  }
}

/** A client as a user's script would write it. */
export function openSocket(service: Reached, session: { session_id: string }, opening: Opening = {}) {
  const url = opening.url ?? socketUrl(service, session.session_id, opening);
  const authorization = opening.key === undefined ? {} : { authorization: `Bearer ${opening.key}` };
  const ws = new WebSocket(url, { headers: { ...authorization, ...opening.headers } });
  return new Promise<TestSocket>((resolve, reject) => {
    const messages: ServerMessage[] = [];
    const binary: Buffer[] = [];
    let headers: TestSocket['headers'] = {};
    const closed = new Promise<{ code: number; reason: string }>((resolveClosed) => {
      ws.on('close', (code, reason) => resolveClosed({ code, reason: reason.toString() }));
    });
    ws.on('message', (data: Buffer, isBinary) => {
      if (isBinary) binary.push(data);
      else messages.push(JSON.parse(data.toString()));
    });
    ws.on('upgrade', (answer) => {
      headers = answer.headers;
    });
    ws.on('unexpected-response', (_request, answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const all = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
        reject(
          new SocketRefused({ status: answer.statusCode ?? 0, headers: new Headers(all), body: bodyOf(text), text }),
        );
      });
    });
    ws.on('error', reject);
    ws.on('open', () => {
      resolve({
        ws,
        messages,
        binary,
        closed,
        headers,
        send: (message) => ws.send(JSON.stringify(message)),
        next: (type, fits = () => true) =>
          waitFor(`a ${type} arrives`, () => {
            const ofType = messages.filter((message) => message.type === type) as Extract<
              ServerMessage,
              { type: typeof type }
            >[];
            return ofType.find(fits);
          }),
      });
    });
  });
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export async function refusalOf(opening: Promise<TestSocket>): Promise<SocketRefused['answer']> {
  try {
    (await opening).ws.terminate();
  } catch (error) {
    if (error instanceof SocketRefused) return error.answer;
    throw error;
  }
  throw new Error('the socket was opened');
}
