import { whyNotPath } from '@bottega/contract';
import { rootUri } from './introduction.ts';
import { fieldsOf } from './messages.ts';

/** The text of a file as one client has it. `version` is the client's own number for it. */
export type Document = { languageId: string; text: string; version: number | null };

export const mostDocuments = 200;
const mostLanguageId = 50;

/** The path in the project, with a slash in front. Null if the address is not that of a file of the project. */
export function pathOf(uri: unknown): string | null {
  if (typeof uri !== 'string' || uri.length > 8_192 || !uri.startsWith(`${rootUri}/`)) return null;
  try {
    const path = decodeURIComponent(uri.slice(rootUri.length));
    return whyNotPath(path) === null ? path : null;
  } catch {
    return null;
  }
}

/** A path that a user wrote, with a slash in front. Null if no file can have it. */
export function pathOfProject(text: string): string | null {
  const path = text.startsWith('/') ? text : `/${text}`;
  return whyNotPath(path) === null ? path : null;
}

/** One form for each path: clients escape different characters. */
export const uriOf = (path: string): string => `${rootUri}${path.split('/').map(encodeURIComponent).join('/')}`;

/** Characters that all clients of a server may have open. */
export type Room = { free: number };

/** Characters that the changes of one message may go through. */
const mostWork = 64 * 2 ** 20;

/** The files that a client has open. Each call returns why it was refused, or null. */
export function createDocuments(room: Room) {
  const documents = new Map<string, Document>();

  function put(path: string, document: Document): string | null {
    const more = document.text.length - (documents.get(path)?.text.length ?? 0);
    if (more > room.free) return 'The open files are too large';
    room.free -= more;
    documents.set(path, document);
    return null;
  }

  function drop(path: string): void {
    room.free += documents.get(path)?.text.length ?? 0;
    documents.delete(path);
  }

  return {
    all: (): ReadonlyMap<string, Document> => documents,
    get: (path: string): Document | undefined => documents.get(path),
    open(params: unknown): string | null {
      const { uri, languageId, text, version } = fieldsOf(fieldsOf(params).textDocument);
      const path = pathOf(uri);
      if (path === null) return 'Only files of the project can be opened';
      if (typeof text !== 'string' || typeof languageId !== 'string') return 'A document needs a language and a text';
      if (!documents.has(path) && documents.size >= mostDocuments) return `At most ${mostDocuments} files can be open`;
      return put(path, { languageId: languageId.slice(0, mostLanguageId), text, version: versionOf(version) });
    },
    change(params: unknown): string | null {
      const { textDocument, contentChanges } = fieldsOf(params);
      const { uri, version } = fieldsOf(textDocument);
      const path = pathOf(uri);
      const known = path === null ? undefined : documents.get(path);
      if (path === null || !known) return 'The file is not open';
      if (!Array.isArray(contentChanges)) return 'The changes are not valid';
      let { text } = known;
      if (contentChanges.length > 1 && contentChanges.length * text.length > mostWork) return 'Send the whole text';
      for (const change of contentChanges) {
        const changed = changedBy(text, change);
        if (changed === null) return 'A change is not valid';
        text = changed;
        if (text.length - known.text.length > room.free) return 'The open files are too large';
      }
      return put(path, { ...known, text, version: versionOf(version) });
    },
    close(params: unknown): string | null {
      const path = pathOf(fieldsOf(fieldsOf(params).textDocument).uri);
      if (path !== null) drop(path);
      return null;
    },
    closeAll(): void {
      for (const path of [...documents.keys()]) drop(path);
    },
  };
}

const versionOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

/** A change of a range, or of the whole text. Null if it is not valid. */
function changedBy(text: string, change: unknown): string | null {
  const { range, text: inserted } = fieldsOf(change);
  if (typeof inserted !== 'string') return null;
  if (range === undefined) return inserted;
  const { start, end } = fieldsOf(range);
  const [from, to] = [offsetOf(text, start), offsetOf(text, end)];
  if (from === null || to === null || from > to) return null;
  return text.slice(0, from) + inserted + text.slice(to);
}

function offsetOf(text: string, position: unknown): number | null {
  const { line, character } = fieldsOf(position);
  if (!isCount(line) || !isCount(character)) return null;
  let at = 0;
  for (let passed = 0; passed < line; passed++) {
    const end = nextLine(text, at);
    if (end === null) return text.length;
    at = end;
  }
  const end = nextLine(text, at) ?? text.length;
  return Math.min(at + character, end);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Where the next line begins. Lines end as the protocol says: with a line feed, a carriage return, or both. */
function nextLine(text: string, from: number): number | null {
  const feed = text.indexOf('\n', from);
  const carriage = text.slice(from, feed === -1 ? undefined : feed).indexOf('\r');
  if (carriage !== -1) {
    const at = from + carriage;
    return text[at + 1] === '\n' ? at + 2 : at + 1;
  }
  return feed === -1 ? null : feed + 1;
}
