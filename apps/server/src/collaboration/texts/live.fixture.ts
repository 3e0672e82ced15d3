import { randomUUID } from 'node:crypto';
import type { ClientMessage, ServerMessage } from '@bottega/contract';
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { afterAll, beforeAll } from 'vitest';
import * as Y from 'yjs';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { readConfig } from '../../foundation/config/index.ts';
import { planQuota } from '../../repository/store/quota.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import type { Place } from '../../testing/samples/sample-files.ts';
import type { TestService, TestUser } from '../../testing/service/test-service.ts';
import { createLiveTexts } from './live-texts.ts';
import { createTextMetrics } from './metrics.ts';
import type { LiveConnection, LivePeer } from './peer.ts';
import type { Engine, LiveEngine } from './room.ts';

/** Live texts without sockets: peers are plain objects, and a provider's WebSocket is handed to its peer directly. */

type Overrides = { settings?: Record<string, string>; engine?: Partial<Engine> };

export function startTexts(service: TestService, { settings = {}, engine = {} }: Overrides = {}): LiveEngine {
  const config = readConfig({ BOTTEGA_LIVE_SAVE_PAUSE: '100', ...settings });
  return createLiveTexts({
    db: service.db,
    writeQueue: keyedQueue(),
    quota: planQuota(config.plans),
    publicUrl: () => service.url,
    ownership: { assertHeld: async () => undefined, acquire: async () => true },
    limits: config.liveTexts,
    fileLimit: config.fileLimit,
    metrics: createTextMetrics(),
    comment: async () => undefined,
    onError: (error, what) => process.stderr.write(`${what}: ${error}\n`),
    ...engine,
  });
}

export function useTexts(service: TestService, overrides?: Overrides): { texts: LiveEngine } {
  const holder = {} as { texts: LiveEngine };
  beforeAll(() => {
    holder.texts = startTexts(service, overrides);
  });
  afterAll(() => holder.texts?.drain());
  return holder;
}

export type Client = {
  peer: LivePeer;
  connection: LiveConnection;
  messages: ServerMessage[];
  closed: { code: number; reason: string } | null;
  rights: Set<string>;
  send(message: ClientMessage): void;
  /** The first unread message of this type with these fields. */
  next<Type extends ServerMessage['type']>(
    type: Type,
    fields?: Record<string, unknown>,
  ): Promise<Extract<ServerMessage, { type: Type }>>;
  /** The text of an opened file, according to the messages so far. */
  textOf(path: string): string;
  onBinary: ((frame: Uint8Array) => void) | null;
};

export function join(
  texts: LiveEngine,
  { projectId }: Pick<Place, 'projectId'>,
  user: TestUser,
  { sessionId = 'ses_one', branch = 'main', rights = ['read', 'write', 'comment'] } = {},
): Client {
  const client = { messages: [], closed: null, rights: new Set(rights), onBinary: null } as unknown as Client;
  const seen = new Set<ServerMessage>();
  client.peer = {
    id: randomUUID(),
    sessionId,
    projectId,
    branch,
    requestId: `req_${sessionId}`,
    user: { id: user.id, username: user.username, name: user.name, email: user.email },
    may: (right) => client.rights.has(right),
    isKeptOut: () => false,
    takesText: true,
    send: (message) => client.messages.push(JSON.parse(JSON.stringify(message))),
    sendSerialised: (text) => client.messages.push(JSON.parse(text)),
    sendBinary: (frame) => client.onBinary?.(frame),
    readyForText: async () => true,
    close: (code, reason) => {
      client.closed = { code, reason };
    },
  };
  client.connection = texts.connect(client.peer);
  client.send = (message) => client.connection.handleMessage(message);
  client.next = (type, fields = {}) =>
    waitFor(`a message ${type} ${JSON.stringify(fields)}`, () => {
      const found = client.messages.find(
        (message) =>
          message.type === type &&
          !seen.has(message) &&
          Object.entries(fields).every(([name, value]) => (message as Record<string, unknown>)[name] === value),
      );
      if (found) seen.add(found);
      return found as never;
    });
  client.textOf = (path) => replay(client.messages, path);
  return client;
}

/** A client that follows the documentation, with nothing but strings. */
export function replay(messages: ServerMessage[], path: string): string {
  let text = '';
  let revision = -1;
  for (const message of messages) {
    if (!('file_path' in message) || message.file_path !== path) continue;
    if (message.type === 'file_state' || message.type === 'resync') {
      [text, revision] = [message.content, message.revision];
    } else if (message.type === 'code_change' || (message.type === 'ack' && message.changes && !message.durable)) {
      if (message.type === 'ack' && message.changes?.length === 0) continue;
      if (revision === -1) continue;
      if (message.revision !== revision + 1) throw new Error(`revision ${message.revision} after ${revision}`);
      text = apply(text, message.changes ?? []);
      revision = message.revision;
    }
  }
  return text;
}

type Changes = Extract<ServerMessage, { type: 'code_change' }>['changes'];

export function apply(text: string, changes: Changes): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, column }: { line: number; column: number }) => (starts[line - 1] ?? Number.NaN) + column - 1;
  let [result, at] = ['', 0];
  for (const change of changes) {
    const from = offset(change.position);
    result += text.slice(at, from) + (change.type === 'delete' ? '' : change.text);
    at = change.type === 'insert' ? from : offset(change.end);
  }
  return result + text.slice(at);
}

export type YjsClient = {
  provider: HocuspocusProvider;
  document: Y.Doc;
  text: Y.Text;
  client: Client;
  close(): Promise<void>;
};

/** The stock provider on a fake socket. */
export function joinByYjs(client: Client, path: string, document = new Y.Doc()): YjsClient {
  class Socket extends EventTarget {
    binaryType = 'arraybuffer';
    readyState = 0;
    constructor() {
      super();
      queueMicrotask(() => {
        this.readyState = 1;
        this.dispatchEvent(new Event('open'));
      });
      client.onBinary = (frame) => {
        const data = frame.slice().buffer;
        queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
      };
    }
    send(data: Uint8Array) {
      client.connection.handleBinary(new Uint8Array(data));
    }
    close() {
      this.readyState = 3;
      client.onBinary = null;
    }
  }
  const websocketProvider = new HocuspocusProviderWebsocket({ url: 'ws://nowhere', WebSocketPolyfill: Socket });
  const provider = new HocuspocusProvider({ websocketProvider, name: path, document, token: 'anything' });
  provider.attach();
  return {
    provider,
    document,
    text: document.getText('content'),
    client,
    async close() {
      provider.destroy();
      websocketProvider.destroy();
      await client.connection.close();
    },
  };
}
