import { whyNotPath } from '@bottega/contract';
import { rootUri } from './introduction.ts';
import { fieldsOf } from './messages.ts';

/** The text of a file as one client has it. `version` is the client's own number for it. */
export type Document = { languageId: string; text: string; version: number | null };

export const mostDocuments = 200;
const mostLanguageId = 50;

/**
 * The path of a file in the project, with a slash in front. Null if the address does not belong to a file of the
 * project.
 */
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

/**
 * The address that the server sees for a path. Clients escape different characters, so their own addresses for one path
 * differ.
 */
export const uriOf = (path: string): string => `${rootUri}${path.split('/').map(encodeURIComponent).join('/')}`;

/** The number of characters that all clients of a server together can still open. */
export type Room = { free: number };

/** The most characters of one file. To apply a change, all of them are gone through, which blocks the event loop. */
const longestText = 2 ** 21;
/** The most characters that are gone through for the changes of one message. */
const mostWork = 32 * 2 ** 20;

/** The files that a client has open. Each call returns why it was refused, or null. */
export function createDocuments(room: Room) {
  const documents = new Map<string, Document>();

  function put(path: string, document: Document): string | null {
    const more = document.text.length - (documents.get(path)?.text.length ?? 0);
    if (document.text.length > longestText) return `A file can have at most ${longestText} characters`;
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
        if (text.length > longestText) return `A file can have at most ${longestText} characters`;
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

/** Applies a change of a range or of the whole text. Null if the change is not valid. */
function changedBy(text: string, change: unknown): string | null {
  const { range, text: inserted } = fieldsOf(change);
  if (typeof inserted !== 'string') return null;
  if (range === undefined) return inserted;
  const { start, end } = fieldsOf(range);
  const [from, to] = [offsetOf(text, start), offsetOf(text, end)];
  if (from === null || to === null || from > to) return null;
  return text.slice(0, from) + inserted + text.slice(to);
}

/**
 * Converts a position, which is a line and a character, to an offset. If the line is shorter, returns the start of the
 * next line.
 */
function offsetOf(text: string, position: unknown): number | null {
  const { line, character } = fieldsOf(position);
  if (!isCount(line) || !isCount(character)) return null;
  const from = lineFrom(text, 0, line);
  return Math.min(from + character, lineFrom(text, from, 1));
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const [feed, carriage] = [10, 13];

/**
 * The offset that is `lines` lines after `from`, or the end of the text. As the protocol says, a line ends with a line
 * feed, a carriage return, or both. The loop looks at single characters, because one search per line costs far more.
 */
function lineFrom(text: string, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0 && at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isEnd = code === feed || (code === carriage && text.charCodeAt(at + 1) !== feed);
    if (isEnd) left -= 1;
  }
  return at;
}
