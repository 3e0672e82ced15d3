import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';

type Upload = { key: string; at: Date; parts: Map<number, Buffer>; lastPartAt?: Date };
/** Replaces the answer to a request: the connection breaks, no answer, only the first bytes, or this status. */
export type Fault = 'broken' | 'silent' | 'half' | number | undefined;

export type S3Server = {
  endpoint: string;
  objects: Map<string, Buffer>;
  uploads: Map<string, Upload>;
  /** Every request, as `PUT /bucket/key?partNumber=1`, in order. */
  asked: string[];
  fault: (request: string) => Fault | Promise<Fault>;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const etagOf = (content: Buffer): string => `"${createHash('md5').update(content).digest('hex')}"`;

/** Implements as much of S3 as a store needs, for faults that no real server produces on demand. Ignores signatures. */
export function useS3Server(): S3Server {
  const state: S3Server = { endpoint: '', objects: new Map(), uploads: new Map(), asked: [], fault: () => undefined };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3');
    url.searchParams.delete('x-id');
    const asked = `${request.method} ${decodeURIComponent(url.pathname)}${url.search}`;
    state.asked.push(asked);
    const fault = await state.fault(asked);
    if (fault === 'silent') return;
    if (fault === 'broken') request.socket.destroy();
    else if (typeof fault === 'number') request.resume().on('end', () => response.writeHead(fault).end());
    else answer(state, request, { url, body: await buffer(request), response, isCut: fault === 'half' });
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    state.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}

type Asked = { url: URL; body: Buffer; response: ServerResponse; isCut: boolean };

function answer(state: S3Server, { method, headers }: IncomingMessage, asked: Asked): void {
  const { url, body, response } = asked;
  const [, , ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  const query = url.searchParams;
  const uploadId = query.get('uploadId');
  if (key === '') {
    answerXml(response, 200, query.has('uploads') ? listUploads(state, query) : listObjects(state, query));
  } else if (method === 'POST' && query.has('uploads')) {
    const id = `upload-${state.uploads.size + 1}`;
    state.uploads.set(id, { key, at: new Date(), parts: new Map() });
    const result = 'InitiateMultipartUploadResult';
    answerXml(response, 200, `<${result}><UploadId>${id}</UploadId></${result}>`);
  } else if (uploadId !== null) {
    receivePart(state, { method, uploadId, body, response, number: query.get('partNumber') });
  } else if (method === 'PUT') {
    state.objects.set(key, body);
    response.writeHead(200, { etag: etagOf(body) }).end();
  } else if (method === 'DELETE') {
    state.objects.delete(key);
    response.writeHead(204).end();
  } else {
    sendObject(state.objects.get(key), Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0), asked);
  }
}

const answerXml = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { 'content-type': 'application/xml' }).end(text);

function sendObject(content: Buffer | undefined, from: number, { response, isCut }: Asked): void {
  if (!content) {
    answerXml(response, 404, '<Error><Code>NoSuchKey</Code></Error>');
    return;
  }
  const sent = content.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { etag: etagOf(content), 'content-length': sent.length });
  if (!isCut) response.end(sent);
  else response.write(sent.subarray(0, Math.ceil(sent.length / 2)), () => response.destroy());
}

type Part = {
  method: string | undefined;
  uploadId: string;
  number: string | null;
  body: Buffer;
  response: ServerResponse;
};

function receivePart({ uploads, objects }: S3Server, { method, uploadId, number, body, response }: Part): void {
  const upload = uploads.get(uploadId);
  if (!upload) {
    answerXml(response, 404, '<Error><Code>NoSuchUpload</Code></Error>');
  } else if (method === 'PUT') {
    upload.parts.set(Number(number), body);
    upload.lastPartAt = new Date();
    response.writeHead(200, { etag: etagOf(body) }).end();
  } else if (method === 'GET') {
    answerXml(response, 200, listParts(upload));
  } else if (method === 'DELETE') {
    uploads.delete(uploadId);
    response.writeHead(204).end();
  } else {
    uploads.delete(uploadId);
    const parts = [...upload.parts].toSorted(([one], [other]) => one - other).map(([, part]) => part);
    objects.set(upload.key, Buffer.concat(parts));
    answerXml(response, 200, '<CompleteMultipartUploadResult/>');
  }
}

/** Two at a time, so that there are several pages. */
function listObjects({ objects }: S3Server, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const own = keys.filter((key) => !key.slice(prefix.length).includes('/'));
  const page = own.slice(0, 2);
  const contents = page.map(
    (key) => `<Contents><Key>${escaped(key)}</Key><Size>${objects.get(key)?.length}</Size></Contents>`,
  );
  const more =
    own.length > 2
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${escaped(page[1] ?? '')}</NextContinuationToken>`
      : '';
  return `<ListBucketResult>${more}${contents.join('')}</ListBucketResult>`;
}

/** Two at a time as well. */
function listUploads({ uploads }: S3Server, query: URLSearchParams): string {
  const after = [...uploads.keys()].indexOf(query.get('upload-id-marker') ?? '') + 1;
  const page = [...uploads].slice(after, after + 2);
  const all = page.map(
    ([id, { key, at }]) =>
      `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  );
  const [id, last] = page.at(-1) ?? ['', null];
  const more =
    last && uploads.size > after + 2
      ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${escaped(last.key)}</NextKeyMarker><NextUploadIdMarker>${id}</NextUploadIdMarker>`
      : '';
  return `<ListMultipartUploadsResult>${more}${all.join('')}</ListMultipartUploadsResult>`;
}

function listParts({ parts, lastPartAt, at }: Upload): string {
  const each = [...parts.keys()].map(
    (number) =>
      `<Part><PartNumber>${number}</PartNumber><LastModified>${(lastPartAt ?? at).toISOString()}</LastModified></Part>`,
  );
  return `<ListPartsResult>${each.join('')}</ListPartsResult>`;
}
