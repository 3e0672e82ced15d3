import type { Channel } from '../agent/channels.mjs';
import { createDocuments, pathOf, type Room, uriOf } from './documents.ts';
import { createMessageReader, tryMessage } from './framing.ts';
import { createInbox } from './inbox.ts';
import { passedMethods } from './introduction.ts';
import { type Answer, fieldsOf, type Message, type MessageId, parseMessage, refusals, refused } from './messages.ts';
import type { LanguageServer } from './server.ts';
import type { Asker, Turns } from './turns.ts';

export type Ready = { server: LanguageServer; turns: Turns };

export type Client = Asker & {
  notify(method: string, params: unknown): void;
  /** Ends the connection with a reason. */
  end(reason: string): void;
};

type Hooks = {
  room: Room;
  /** The running server. Rejects with the reason if there is none. */
  ready(): Promise<Ready>;
  /** The client's texts have changed. */
  onChange(client: Client): void;
  onUse(): void;
  onClose(client: Client): void;
};

export const mostClientBytes = 4 * 2 ** 20;
const mostPending = 100;
/** Bytes that may wait for a client that does not read. */
const mostWaiting = 32 * 2 ** 20;

/**
 * Connects one editor or agent to a language server. The server does not know its clients: for the server, the service
 * is the only one.
 */
export function connectClient(channel: Channel, { room, ready, onChange, onUse, onClose }: Hooks): Client {
  const documents = createDocuments(room);
  const pending = new Map<MessageId, () => void>();

  function send(message: object): void {
    if (channel.destroyed) return;
    const bytes = tryMessage({ jsonrpc: '2.0', ...message });
    if (bytes === null || channel.writableLength > mostWaiting) channel.destroy();
    else channel.write(bytes);
  }
  const client: Client = {
    documents: documents.all(),
    notify: (method, params) => send({ method, params }),
    end: (reason) => channel.fail({ code: 'CLOSED', message: reason }),
  };
  const answer = (id: MessageId | null, given: Answer) => send({ id, ...given });

  /**
   * Resolves once the request was sent to the server. The client's next messages are handled after that, because they
   * may change the texts that the request is about.
   */
  async function pass(id: MessageId, method: string, params: unknown): Promise<void> {
    let isCancelled = false;
    pending.set(id, () => {
      isCancelled = true;
    });
    try {
      const { server, turns } = await ready();
      const leave = await turns.enter(client);
      const cancelled = refused(refusals.cancelled, 'The request was cancelled');
      const asked = isCancelled ? null : server.request(method, withOwnAddress(params));
      if (asked) pending.set(id, asked.cancel);
      void (asked?.answer ?? Promise.resolve(cancelled)).then((given) => {
        leave();
        if (pending.delete(id)) answer(id, given);
      });
    } catch (error) {
      pending.delete(id);
      answer(id, refused(refusals.failed, (error as Error).message));
    }
  }

  async function request(id: MessageId, method: string, params: unknown): Promise<void> {
    if (method === 'shutdown') return answer(id, { result: null });
    if (method === 'initialize') return answer(id, await introduction(ready()));
    if (!passedMethods.has(method)) return answer(id, refused(refusals.unknownMethod, 'Unknown method'));
    if (pending.has(id)) return answer(id, refused(refusals.invalid, 'Another request has this id'));
    if (pending.size >= mostPending) {
      return answer(id, refused(refusals.serverCancelled, `At most ${mostPending} requests can wait`));
    }
    await pass(id, method, params);
  }

  const changes: Record<string, (params: unknown) => string | null> = {
    'textDocument/didOpen': documents.open,
    'textDocument/didChange': documents.change,
    'textDocument/didClose': documents.close,
  };
  function note(method: string, params: unknown): void {
    const change = Object.hasOwn(changes, method) ? changes[method] : undefined;
    if (!change) return;
    // If a change cannot be applied, the connection ends: with wrong texts, the client would get wrong answers.
    const problem = change(params);
    if (problem === null) onChange(client);
    else client.end(problem);
  }

  const inbox = createInbox(channel, async ({ id, method, params }) => {
    if (method !== null && id !== null) await request(id, method, params);
    else if (method !== null) note(method, params);
  });

  function receive(body: Buffer): void {
    onUse();
    const message = parsed(body);
    if (!message) answer(null, refused(refusals.parse, 'This is not a message'));
    else if (message.method === '$/cancelRequest') pending.get(fieldsOf(message.params).id as MessageId)?.();
    else inbox.add(message);
  }

  const read = createMessageReader(mostClientBytes, receive);
  channel.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      client.end((error as Error).message);
    }
  });
  channel.on('end', () => channel.destroy());
  channel.on('close', () => {
    inbox.clear();
    for (const cancel of pending.values()) cancel();
    pending.clear();
    documents.closeAll();
    onClose(client);
  });
  return client;
}

function parsed(body: Buffer): Message | null {
  try {
    return parseMessage(body);
  } catch {
    return null;
  }
}

const introduction = (ready: Promise<Ready>): Promise<Answer> =>
  ready.then(
    ({ server }) => ({ result: abilitiesOf(server) }),
    (error: Error) => refused(refusals.failed, error.message),
  );

/** The part of the server's abilities that clients can use. */
function abilitiesOf({ abilities }: LanguageServer) {
  const { executeCommandProvider: _commands, ...capabilities } = fieldsOf(abilities.capabilities);
  const textDocumentSync = { openClose: true, change: 2 };
  return { capabilities: { ...capabilities, textDocumentSync }, serverInfo: fieldsOf(abilities.serverInfo) };
}

/** Replaces the address of the file by the form of it that the server knows. */
function withOwnAddress(params: unknown): unknown {
  const { textDocument, ...others } = fieldsOf(params);
  const path = pathOf(fieldsOf(textDocument).uri);
  return path === null ? params : { ...others, textDocument: { ...fieldsOf(textDocument), uri: uriOf(path) } };
}
