import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CodeChange, ServerMessage } from '@bottega/contract';
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { apply } from './live.fixture.ts';
import { type Random, randomPosition, randomText } from './random.fixture.ts';

/** Clients of a fuzz run, on real sockets that are slow now and then. */

/** The address is read for every connection: a node may be gone. */
export type Link = {
  url: () => string;
  key: string;
  slowMs: number;
  /** Gets how each connection ended: its close code, or the status of the refusal. */
  ended?: (how: number) => void;
};
type Wanted = { path: string; link: Link };

/** Delays frames and keeps their order. */
function late(slowMs: number) {
  let last = Promise.resolve();
  return (pass: () => void): void => {
    if (slowMs === 0) pass();
    else last = last.then(() => delay(slowMs)).then(pass);
  };
}

function tellOfEnd(ws: WebSocket, { ended }: Link): void {
  let refused: number | null = null;
  ws.on('error', ({ message }) => {
    refused = Number(/Unexpected server response: (\d+)/.exec(message)?.[1] ?? 0);
  });
  ws.on('close', (code) => ended?.(refused ?? code));
}

export type FuzzClient = {
  edit(random: Random): void;
  insert(text: string): void;
  disconnect(): void;
  text(): string;
  isQuiet(): boolean;
  close(): Promise<void>;
};

const positionAt = (text: string, offset: number) => {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
};

export type Script = FuzzClient & {
  send(message: unknown): void;
  /** The last save that was answered. */
  saved: number;
  /** Inserted texts that were acknowledged as durable. */
  durable: string[];
  revision(): number;
};

/** A client as a script would be: it knows the text from messages, and sends changes for the last revision. */
export function jsonClient({ path, link }: Wanted): Script {
  let [text, revision, seq, isClosed] = ['', -1, 0, false];
  let socket: WebSocket;
  const unanswered = new Set<number>();
  const inserted = new Map<number, string>();
  const client = { saved: 0, durable: [] as string[] };

  function connect(): void {
    const ws = new WebSocket(link.url(), { headers: { authorization: `Bearer ${link.key}` } });
    socket = ws;
    const passIn = late(link.slowMs);
    unanswered.clear();
    revision = -1;
    ws.on('open', () => ws.send(JSON.stringify({ type: 'open_file', file_path: path })));
    ws.on('message', (data) => passIn(() => ws === socket && hear(JSON.parse(data.toString()))));
    tellOfEnd(ws, link);
    ws.on('close', () => {
      if (!isClosed && ws === socket) setTimeout(connect, 30);
    });
  }

  function hear(message: ServerMessage): void {
    if (message.type === 'saved' && message.seq !== undefined) client.saved = message.seq;
    if (message.type === 'error' && message.seq !== undefined) unanswered.delete(message.seq);
    if (!('file_path' in message) || message.file_path !== path) return;
    if (message.type === 'file_state' || message.type === 'resync') {
      [text, revision] = [message.content, message.revision];
      if (message.seq !== undefined) unanswered.delete(message.seq);
      const checksum = `sha256:${createHash('sha256').update(text).digest('hex')}`;
      if (checksum !== message.checksum) throw new Error('the checksum is wrong');
    } else if (message.type === 'code_change') take(message.changes, message.revision);
    else if (message.type === 'ack' && !message.durable) take(message.changes ?? [], message.revision ?? 0);
    else if (message.type === 'ack' && message.seq !== undefined) {
      unanswered.delete(message.seq);
      client.durable.push(inserted.get(message.seq) ?? '');
    }
  }

  function take(changes: CodeChange[], next: number): void {
    if (revision === -1 || changes.length === 0) return;
    if (next !== revision + 1) throw new Error(`revision ${next} after ${revision}`);
    text = apply(text, changes);
    revision = next;
  }

  const passOut = late(link.slowMs);
  const send = (message: unknown) => {
    const ws = socket;
    passOut(() => ws.readyState === WebSocket.OPEN && ws.send(JSON.stringify(message)));
  };
  connect();
  return Object.assign(client, {
    send,
    edit(random: Random) {
      if (revision === -1 || socket.readyState !== WebSocket.OPEN) return;
      const [one, other] = [randomPosition(random, text), randomPosition(random, text)];
      const [from, to] = one < other ? [one, Math.min(other, one + 12)] : [other, Math.min(one, other + 12)];
      const end = isLow(text.charCodeAt(to)) ? to - 1 : to;
      const position = positionAt(text, from);
      const change: CodeChange =
        end <= from || random.chance(0.6)
          ? { type: 'insert', position, text: randomText(random) }
          : random.chance(0.5)
            ? { type: 'delete', position, end: positionAt(text, end) }
            : { type: 'replace', position, end: positionAt(text, end), text: randomText(random) };
      unanswered.add(++seq);
      send({ type: 'code_change', file_path: path, changes: [change], base_revision: revision, seq });
    },
    insert(what: string) {
      if (revision === -1 || socket.readyState !== WebSocket.OPEN) return;
      inserted.set(++seq, what);
      unanswered.add(seq);
      const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: what }];
      send({ type: 'code_change', file_path: path, changes, seq });
    },
    disconnect: () => socket.terminate(),
    text: () => text,
    revision: () => revision,
    isQuiet: () => unanswered.size === 0 && revision !== -1 && socket.readyState === WebSocket.OPEN,
    async close() {
      isClosed = true;
      socket.terminate();
    },
  });
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The stock provider. */
export function yjsClient({ path, link }: Wanted): FuzzClient {
  let current: WebSocket | null = null;
  class Slow extends WebSocket {
    #out = late(link.slowMs);
    #in = late(link.slowMs);
    constructor() {
      super(`${link.url()}?frames=yjs`, { headers: { authorization: `Bearer ${link.key}` } });
      current = this;
      tellOfEnd(this, link);
    }
    override send(data: never): void {
      this.#out(() => this.readyState === WebSocket.OPEN && super.send(data));
    }
    override emit(event: string, ...values: unknown[]): boolean {
      if (event !== 'message') return super.emit(event, ...values);
      this.#in(() => super.emit(event, ...values));
      return true;
    }
  }
  const document = new Y.Doc();
  const websocketProvider = new HocuspocusProviderWebsocket({
    url: 'ws://asked-for-at-every-connection',
    WebSocketPolyfill: Slow,
    delay: 30,
    minDelay: 10,
    maxDelay: 60,
    factor: 1,
    jitter: false,
  });
  const provider = new HocuspocusProvider({ websocketProvider, name: path, document, token: 'any' });
  provider.attach();
  const content = document.getText('content');
  return {
    edit(random) {
      const text = content.toString();
      const from = randomPosition(random, text);
      if (random.chance(0.6) || text === '') content.insert(from, randomText(random));
      else {
        const to = Math.min(text.length, from + 1 + random.below(10));
        const end = isLow(text.charCodeAt(to)) ? to - 1 : to;
        if (end > from) content.delete(from, end - from);
      }
    },
    insert: (text) => content.insert(content.length, text),
    disconnect: () => current?.terminate(),
    text: () => content.toString(),
    isQuiet: () => provider.synced && !provider.hasUnsyncedChanges && websocketProvider.status === 'connected',
    async close() {
      provider.destroy();
      websocketProvider.destroy();
    },
  };
}

/** Waits until all have the same text and nothing is under way. */
export async function allSettled(clients: FuzzClient[], what: string): Promise<string> {
  const settled = () => {
    const texts = new Set(clients.map((client) => client.text()));
    return texts.size === 1 && clients.every((client) => client.isQuiet()) && { text: clients[0]?.text() ?? '' };
  };
  const found = await waitFor(what, settled).catch((error: unknown) => {
    const states = clients.map((client) => `${client.isQuiet()} ${JSON.stringify(client.text())}`);
    throw new Error(`${what}:\n${states.join('\n')}`, { cause: error });
  });
  return found.text;
}
