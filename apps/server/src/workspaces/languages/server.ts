import type { Channel } from '../agent/channels.mjs';
import { createMessageReader, tryMessage } from './framing.ts';
import { introduction, rootUri } from './introduction.ts';
import type { KnownLanguage } from './known-languages.ts';
import { LanguageError } from './language-error.ts';
import {
  type Answer,
  type Fields,
  fieldsOf,
  type Message,
  ownValue,
  parseMessage,
  refusals,
  refused,
} from './messages.ts';

/**
 * A running language server. Any command in the workspace could have replaced it, so its answers are passed on to
 * clients but not relied on.
 */
export type LanguageServer = {
  /** The server's answer to `initialize`. */
  abilities: Fields;
  /** Never rejects. */
  request(method: string, params: unknown): { answer: Promise<Answer>; cancel(): void };
  notify(method: string, params: unknown): void;
  stop(): void;
  /** Resolves with the reason when it has ended. */
  ended: Promise<string>;
};

type Options = {
  channel: Channel;
  known: KnownLanguage;
  /** The server reported problems by itself. */
  onPublished(params: unknown): void;
  /** Problems that were reported may be different now. */
  onRefresh(): void;
  /** Packages were installed at these paths. */
  onInstalled(paths: string[]): void;
  /** The server was started but did not answer. */
  onFailed(reason: string): void;
};

/**
 * The largest message of a server. The largest ones are lists of completions that offer everything that could be
 * imported.
 */
const mostBytes = 16 * 2 ** 20;
/** Bytes that may wait for a server that does not read. */
const mostWaiting = 32 * 2 ** 20;
const startMs = 60_000;
const answerMs = 30_000;

export async function startServer({ channel, known, ...hooks }: Options): Promise<LanguageServer> {
  const waiting = new Map<number, (answer: Answer) => void>();
  let next = 1;

  function send(message: object): void {
    if (channel.destroyed) return;
    const bytes = tryMessage({ jsonrpc: '2.0', ...message });
    // A client's message that cannot be encoded is not sent. A request in it is answered when its time is over.
    if (bytes === null) return;
    channel.write(bytes);
    if (channel.writableLength > mostWaiting) channel.destroy(new Error('The language server does not read'));
  }

  function request(method: string, params: unknown, ms = answerMs) {
    const id = next++;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const answer = (given: Answer) => {
      clearTimeout(late);
      waiting.delete(id);
      resolve(given);
    };
    const cancel = () => send({ method: '$/cancelRequest', params: { id } });
    const late = setTimeout(() => {
      cancel();
      answer(refused(refusals.serverCancelled, 'The language server did not answer in time'));
    }, ms);
    if (channel.destroyed) answer(refused(refusals.failed, 'The language server has ended'));
    else {
      waiting.set(id, answer);
      send({ id, method, params });
    }
    return { answer: promise, cancel };
  }

  function receive({ id, method, params, answer }: Message): void {
    if (answer) waiting.get(Number(id))?.(answer);
    else if (method !== null && id !== null) send({ id, ...answerTo(method, params, known) });
    else if (method === 'textDocument/publishDiagnostics') hooks.onPublished(params);
    if (method === 'workspace/diagnostic/refresh') hooks.onRefresh();
  }

  const read = createMessageReader(mostBytes, (body) => receive(parseMessage(body)));
  channel.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      channel.destroy(error as Error);
    }
  });
  channel.on('control', (message: unknown) => {
    const { installed } = fieldsOf(message);
    if (!Array.isArray(installed)) return;
    hooks.onInstalled(installed.filter((path) => path === 'node_modules' || path === '.venv'));
  });
  const ended = channel.result.then(whyEnded, (error: Error) => `The language server ended: ${error.message}`);
  void ended.then(() => {
    for (const answer of [...waiting.values()]) answer(refused(refusals.failed, 'The language server has ended'));
  });
  const stop = () => void channel.destroy();

  const first = await request('initialize', introduction, startMs).answer;
  if ('error' in first) {
    const reason = channel.destroyed || channel.readableEnded ? await ended : first.error.message;
    stop();
    hooks.onFailed(reason);
    throw new LanguageError(reason);
  }
  send({ method: 'initialized', params: {} });
  return {
    abilities: fieldsOf(first.result),
    request,
    notify: (method, params) => send({ method, params }),
    stop,
    ended,
  };
}

/** Answers a request of the server to its client, which is the service. */
function answerTo(method: string, params: unknown, { settings }: KnownLanguage): Answer {
  if (method === 'workspace/configuration') {
    const { items } = fieldsOf(params);
    const all = Array.isArray(items) ? items.slice(0, 100) : [];
    return { result: all.map((item) => ownValue(settings, fieldsOf(item).section) ?? null) };
  }
  if (method === 'workspace/workspaceFolders') return { result: [{ uri: rootUri, name: 'workspace' }] };
  if (method === 'workspace/applyEdit') return { result: { applied: false } };
  const isKnown = /^(client\/(un)?registerCapability|window\/.*|workspace\/.*\/refresh)$/.test(method);
  return isKnown ? { result: null } : refused(refusals.unknownMethod, 'Unknown method');
}

function whyEnded(result: unknown): string {
  const { is_too_large, words, exit_code, signal } = fieldsOf(result);
  if (is_too_large === true) return 'The language server used too much memory';
  const last = typeof words === 'string' ? words.trim().split('\n').at(-1) : undefined;
  if (last) return `The language server ended: ${last.slice(0, 300)}`;
  const code = [exit_code, signal].find((one) => typeof one === 'number' || typeof one === 'string');
  return `The language server ended with ${String(code ?? 'an unknown code').slice(0, 20)}`;
}
