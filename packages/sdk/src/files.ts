import type { FilesResource } from './generated/resources.ts';
import type { WriteFile, WrittenFile } from './generated/types.ts';
import { pathOf, queryText } from './operation.ts';
import type { CallOptions } from './options.ts';
import { jsonBody } from './resource.ts';
import type { Transport } from './transport.ts';

/** The content of a file: text, bytes, or a stream of bytes. A stream is sent once and never repeated. */
export type FileContent = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

export type FileToWrite = Omit<WriteFile, 'content'> & { content: FileContent };

export type WriteOptions = CallOptions & {
  /** Writes only if the file still has this checksum: `etag` of a read, or `checksum` of a list. */
  ifMatch?: string | undefined;
  /** `*`: writes only if there is no such file yet. */
  ifNoneMatch?: string | undefined;
};

export interface Files extends FilesResource {
  /**
   * Create or update a file.
   *
   * `PUT /projects/{project_id}/files`, with the scope `write:files`
   */
  write(projectId: string, file: FileToWrite, options?: WriteOptions): Promise<WrittenFile>;
}

export function withWrite(transport: Transport, files: FilesResource): Files {
  return { ...files, write: (...given) => write(transport, ...given) };
}

async function write(
  transport: Transport,
  projectId: string,
  { content, ...file }: FileToWrite,
  { ifMatch, ifNoneMatch, ...options }: WriteOptions = {},
): Promise<WrittenFile> {
  const { method, path } = pathOf('PUT /projects/{project_id}/files', [projectId]);
  const sent = typeof content === 'string' ? asJson({ ...file, content }) : asBytes(file, content);
  const headers = {
    ...sent.headers,
    ...(ifMatch !== undefined && { 'if-match': quoted(ifMatch) }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': quoted(ifNoneMatch) }),
  };
  const request = { method, path: path + sent.query, body: sent.body, headers, read: 'json' as const };
  return (await transport.send(request, options)).body as WrittenFile;
}

const asJson = (file: WriteFile) => ({ query: '', ...jsonBody(file) });

function asBytes({ encoding: _encoding, ...file }: Omit<WriteFile, 'content'>, body: Exclude<FileContent, string>) {
  return { query: queryText(file), body, headers: { 'content-type': 'application/octet-stream' } };
}

const quoted = (tag: string): string => (tag === '*' || /^(W\/)?"/.test(tag) ? tag : `"${tag}"`);
