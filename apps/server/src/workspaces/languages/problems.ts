import { createHash } from 'node:crypto';
import type { Client, Ready } from './client.ts';
import { type Document, pathOf, uriOf } from './documents.ts';
import { type Fields, fieldsOf } from './messages.ts';
import type { Asker } from './turns.ts';

/** Pause after a change before problems are asked for. */
const settleMs = 200;
const mostInFile = 1_000;
/**
 * The most files whose problems a client is told, in addition to the files that it has open. A server may name any
 * number.
 */
const mostTold = 1_000;
/** The most characters of the problems of one file. Each client gets a copy of them. */
const mostCharacters = 1_048_576;
/** How many times in a row the server is asked again after it has refused an answer because something changed. */
const mostRepeated = 5;
const isLater = new Set([-32_801, -32_802]);

type Options = {
  clients(): Iterable<Client>;
  /** The running server. Null if there is none. */
  ready(): Promise<Ready | null>;
  onError(error: unknown): void;
};

/** Reports the problems of open files to all clients, each for its own text. Servers only answer when they are asked. */
export function createProblems({ clients, ready, onError }: Options) {
  const { tell, pathsOf } = createTelling();
  /**
   * Files whose problems the server reports without being asked. These problems stay until the server withdraws them,
   * whether the files are open or not.
   */
  const publishedPaths = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let isBusy = false;

  /**
   * There was a change during a round. Another round is needed, because this one may already have passed the changed
   * file.
   */
  let again = false;
  let repeated = 0;

  function schedule(): void {
    if (timer) return;
    timer = setTimeout(() => {
      timer = null;
      isBusy = true;
      again = false;
      void round()
        .catch(onError)
        .finally(() => {
          isBusy = false;
          if (again) schedule();
        });
    }, settleMs).unref();
  }

  function touch(): void {
    repeated = 0;
    if (isBusy) again = true;
    else schedule();
  }

  async function round(): Promise<void> {
    const running = await ready();
    if (!running) return;
    const paths = new Set([...clients()].flatMap(({ documents }) => [...documents.keys()]));
    for (const path of paths) await look(running, path);
    for (const client of clients()) {
      for (const path of pathsOf(client)) {
        if (!paths.has(path) && !publishedPaths.has(path)) tell(client, path, null, []);
      }
    }
  }

  async function look(running: Ready, path: string): Promise<void> {
    const done = new Set<string>();
    let first: unknown[] | null = null;
    for (const asker of [...clients()]) {
      const document = asker.documents.get(path);
      if (!document || done.has(document.text)) continue;
      done.add(document.text);
      const items = await pull(running, asker, path);
      if (items === null) {
        again = again || ++repeated < mostRepeated;
        continue;
      }
      first ??= items;
      for (const client of clients()) {
        const own = client.documents.get(path);
        if (own?.text === document.text) tell(client, path, own, items);
      }
    }
    // Clients that do not have the file open show its problems in their list of problems.
    for (const client of clients()) if (first && !client.documents.has(path)) tell(client, path, null, first);
  }

  return {
    touch,
    /** Problems that the server reports by itself, such as those of its configuration. */
    published(params: unknown): void {
      const { uri, diagnostics } = fieldsOf(params);
      const path = pathOf(uri);
      if (path === null || !Array.isArray(diagnostics)) return;
      const items = fewOf(diagnostics);
      if (items.length === 0) publishedPaths.delete(path);
      else if (publishedPaths.has(path) || publishedPaths.size < mostTold) publishedPaths.add(path);
      else return;
      for (const client of clients()) if (!client.documents.has(path)) tell(client, path, null, items);
    },
  };
}

/** Tells clients the problems of files. A client is not told the same problems twice. */
function createTelling() {
  /** A digest of what each client was told last, by path. */
  const told = new WeakMap<Client, Map<string, string>>();

  function tell(client: Client, path: string, document: Document | null, items: unknown[]): void {
    const params = {
      uri: uriOf(path),
      ...(document?.version != null && { version: document.version }),
      diagnostics: items,
    };
    const known = told.get(client) ?? new Map<string, string>();
    told.set(client, known);
    const digest = createHash('sha1').update(JSON.stringify(params)).digest('base64');
    if (known.get(path) === digest || (items.length === 0 && !known.has(path) && !document)) return;
    if (items.length === 0 && !document) known.delete(path);
    else if (!document && !known.has(path) && known.size >= mostTold) return;
    else known.set(path, digest);
    client.notify('textDocument/publishDiagnostics', params);
  }

  return { tell, pathsOf: (client: Client): string[] => [...(told.get(client)?.keys() ?? [])] };
}

/** The problems of a file, with the text that the asker has. Null if the server has to be asked again. */
export async function pull({ server, turns }: Ready, asker: Asker, path: string): Promise<Fields[] | null> {
  const leave = await turns.enter(asker);
  const answer = await server.request('textDocument/diagnostic', { textDocument: { uri: uriOf(path) } }).answer;
  leave();
  if ('error' in answer) return isLater.has(answer.error.code) ? null : [];
  return fewOf(fieldsOf(answer.result).items);
}

/** The first of these problems, as many as the limits allow. A server may report any number. */
function fewOf(items: unknown): Fields[] {
  const few: Fields[] = [];
  let left = mostCharacters;
  for (const item of Array.isArray(items) ? items.slice(0, mostInFile) : []) {
    left -= charactersOf(item);
    if (left < 0) break;
    few.push(fieldsOf(item));
  }
  return few;
}

function charactersOf(item: unknown): number {
  try {
    return JSON.stringify(item).length;
  } catch {
    // The problem is nested too deeply for JSON.
    return Number.POSITIVE_INFINITY;
  }
}
