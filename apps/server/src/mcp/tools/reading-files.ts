import { isUtf8 } from 'node:buffer';
import { FileListQuery, routes, WriteFile } from '@bottega/contract';
import { Type } from 'typebox';
import { conflict } from '../../foundation/http/index.ts';
import { idOfPath } from '../../repository/files/index.ts';
import type { Answer } from './api.ts';
import { itemsOf, lineOf } from './lists.ts';
import { asRefusal, fromOthers, hasFailed, listed, maxBytes, type Result } from './results.ts';
import { branch, defineTool, limit, projectId, routeTool } from './tool.ts';

const { recursive, ref } = FileListQuery.properties;
const filesAtOnce = 200;

export const listFiles = defineTool({
  name: 'list_files',
  title: 'List files',
  description: 'Lists the files and directories of a project, sorted by path, at the head of main or at another ref.',
  route: routes.listFiles,
  input: Type.Object({
    project_id: projectId,
    path: FileListQuery.properties.path,
    recursive: Type.Optional(recursive),
    ref,
    branch,
    limit: limit(1000, filesAtOnce),
    cursor: FileListQuery.properties.cursor,
  }),
  async run({ api }, { project_id, limit: max = filesAtOnce, ...query }) {
    const answer = await api(routes.listFiles, { params: { project_id }, query: { ...query, limit: max } });
    if (hasFailed(answer)) return asRefusal(answer);
    const { items } = itemsOf(JSON.parse(answer.body.toString()), 'data');
    const lines = items.map(({ path, type, size }) => (type === 'directory' ? `${path}/` : `${path} (${size} bytes)`));
    const hasMore = answer.headers.link !== undefined;
    const next = (shown: number) =>
      shown < items.length || hasMore ? { cursor: String(items[shown - 1]?.path ?? '') } : null;
    return listed({ about: `${items.length} entries.`, lines, next });
  },
});

export const searchFiles = routeTool({
  name: 'search_files',
  title: 'Search files',
  description: 'Searches for text in the files of a project. Returns the path, line, column and text of each match.',
  route: routes.searchFiles,
  fields: { project_id: projectId, q: routes.searchFiles.query.properties.q, branch, limit: limit(100, 20) },
  show(body) {
    const { items, rest } = itemsOf(body, 'data');
    return listed({
      about: rest,
      lines: items.map(lineOf),
      next: (shown) => (shown < items.length ? { limit: shown } : null),
    });
  },
});

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  description: 'Returns the text of a file in parts of up to 64 KiB, or the size and type of a binary file.',
  route: routes.readFileContent,
  input: Type.Object({
    project_id: projectId,
    path: WriteFile.properties.path,
    ref,
    branch,
    cursor: Type.Optional(Type.String({ pattern: '^\\d{1,10}-[0-9a-f]{12}$', description: 'From the previous part' })),
  }),
  async run({ api, db }, { project_id, path, ref: at, branch: on, cursor }) {
    const [offset = 0, version] = cursor ? [Number.parseInt(cursor, 10), cursor.split('-')[1]] : [];
    const params = { project_id, file_id: await idOfPath(db, project_id, path, on ?? at) };
    const range = { range: `bytes=${offset}-${offset + maxBytes - 1}` };
    const answer = await api(routes.readFileContent, { params, query: { ref: at, branch: on }, headers: range });
    if (answer.status === 416 && offset === 0) return fromOthers('The file is empty.', '');
    if (hasFailed(answer)) return asRefusal(answer);
    if (version !== undefined && version !== versionOf(answer)) {
      throw conflict('The file has changed; read it from the beginning');
    }
    return partOf(answer, offset);
  },
});

const versionOf = ({ headers }: Answer): string => /[0-9a-f]{12}/.exec(headers.etag ?? '')?.[0] ?? '0'.repeat(12);

function partOf(answer: Answer, offset: number): Result {
  const size = Number(answer.headers['content-range']?.split('/')[1] ?? answer.body.length);
  const isLast = offset + answer.body.length >= size;
  const text = textOf(answer.body, isLast);
  const about = `${size} bytes, checksum ${(answer.headers.etag ?? '').replaceAll('"', '')}`;
  if (text === null) {
    return fromOthers(`A binary file; its content is not shown: ${about}.`, String(answer.headers['content-type']));
  }
  const reached = offset + Buffer.byteLength(text);
  const next = reached < size ? { cursor: `${reached}-${versionOf(answer)}` } : null;
  return fromOthers(`${about}; from byte ${offset} to ${reached}.`, text, next);
}

/**
 * Decodes a part of a file. The text ends with the last whole line or, if a single line is longer than the part, with
 * the last whole character. Null if the bytes are not text.
 */
function textOf(bytes: Buffer, isLast: boolean): string | null {
  const lineEnd = bytes.lastIndexOf(0x0a);
  const end = isLast ? bytes.length : lineEnd >= 0 ? lineEnd + 1 : startOfLastCharacter(bytes);
  const part = bytes.subarray(0, end);
  return part.length > 0 && isUtf8(part) && !part.includes(0) ? part.toString('utf8') : null;
}

/**
 * The position at which the last character starts, which may continue in the next part. A continuation byte begins with
 * the bits 10.
 */
function startOfLastCharacter(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
