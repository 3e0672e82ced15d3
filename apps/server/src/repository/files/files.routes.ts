import { absolutePath, routes, type WriteFile } from '@bottega/contract';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import {
  type App,
  AppError,
  causeOf,
  type HeavyReads,
  handle,
  malformed,
  principalOf,
} from '../../foundation/http/index.ts';
import { decodeContent, type FileWrites, type GroupedPut } from '../store/index.ts';
import { listAtRef, readAtRef } from './at-ref.service.ts';
import { sendContent } from './content.ts';
import type { Downloads } from './downloads.ts';
import { asFilePage } from './file-page.ts';
import { listFiles } from './files.service.ts';
import { etagOfText } from './files.view.ts';
import { type DiskReads, mustBeOnDisk } from './on-disk.ts';
import { type OnBranch, placeOf, writtenBranch } from './place-of.ts';
import type { ContentReader } from './read-content.service.ts';
import { deleteFile, moveFile, type PutInput, putFile } from './write.service.ts';

type Options = FileWrites & {
  put: GroupedPut;
  readContent: ContentReader;
  config: Config;
  downloads: Downloads;
  heavy: HeavyReads;
  disks(): DiskReads;
  /** Runs before a body that may be large is read. */
  largeBodies: preParsingHookHandler;
};

export function fileRoutes(app: App, options: Options): void {
  const { config, put, readContent, downloads, largeBodies, heavy, disks, ...files } = options;
  const { db } = files;
  const bodyLimit = config.fileBodyLimit;
  const contextOf = (request: FastifyRequest, projectId: string, on: OnBranch) => ({
    principal: principalOf(request),
    projectId,
    ...writtenBranch(on),
    cause: causeOf(request),
    fileLimit: config.fileLimit,
  });

  handle(app, routes.listFiles, async (request, reply) => {
    const { ref, branch, workspace, ...listing } = request.query;
    const principal = principalOf(request);
    const { project_id: projectId } = request.params;
    if (workspace !== undefined) {
      mustBeOnDisk(request.query);
      const onDisk = await disks().list(principal, projectId, { ...listing, workspace });
      return { data: asFilePage(request, reply, files.publicUrl(), onDisk) };
    }
    const place = placeOf({ ref, branch });
    const list = (reads: Db) =>
      place
        ? listAtRef(reads, principal, projectId, { ...listing, place })
        : listFiles(reads, principal, projectId, listing);
    const isLong = ref !== undefined || listing.recursive;
    const listed = await (isLong ? heavy(request, reply, list) : list(db));
    return { data: asFilePage(request, reply, files.publicUrl(), listed) };
  });

  handle(app, routes.readFileContent, async (request, reply) => {
    const { project_id: projectId, file_id: id } = request.params;
    const { download, workspace } = request.query;
    const principal = principalOf(request);
    if (workspace !== undefined) {
      mustBeOnDisk(request.query);
      await sendContent(request, reply, await disks().read(principal, projectId, { id, workspace }), { download });
      return reply;
    }
    const place = placeOf(request.query);
    const onBranch = place && 'branch' in place ? { projectId, branch: place.branch } : null;
    const known = onBranch && (await readContent.readOn(principal, onBranch, id));
    const content =
      known ??
      (place
        ? await heavy(request, reply, (reads) => readAtRef(reads, principal, projectId, { id, place }))
        : await readContent.read(principal, projectId, id));
    await sendContent(request, reply, content, { download });
    // The dashboard also reads files to show them. Its real downloads are marked with `download`.
    const isLookedAt = principal.credential.kind === 'session' && !download;
    if (!isLookedAt) downloads.note(request, reply, { projectId, file: content.file });
    return reply;
  });

  app.register(async (scope: App) => {
    // Only for this route: a body of any type is the content of the file at `path`.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const checks = () => ({
      content: (content: string, { encoding }: Partial<WriteFile>) =>
        decodeContent({ content, encoding, field: 'content', limit: config.fileLimit }),
    });
    const withContent = { bodyLimit, preParsing: largeBodies, checks, config: { queuesItself: true } };
    handle(scope, routes.writeFile, withContent, async (request, reply) => {
      const { on, ...written } = await writtenBy(request, config.fileLimit);
      const context = contextOf(request, request.params.project_id, on);
      const input = { ...written, preconditions: preconditionsOf(request) };
      const { file, created } = await putFile({ ...files, put }, context, input);
      return reply
        .code(created ? 201 : 200)
        .header('etag', etagOfText(file.checksum ?? ''))
        .send(file);
    });
  });

  handle(app, routes.deleteFile, async (request) => {
    const { project_id: projectId, file_id: id } = request.params;
    await deleteFile(files, contextOf(request, projectId, request.query), {
      id,
      preconditions: preconditionsOf(request),
    });
  });

  handle(app, routes.moveFile, async (request) => {
    const { project_id: projectId, file_id: id } = request.params;
    const { path, message } = request.body;
    const move = { id, path, message, preconditions: preconditionsOf(request) };
    return moveFile(files, contextOf(request, projectId, request.body), move);
  });
}

function preconditionsOf({ headers }: FastifyRequest) {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
}

type PutRequest = FastifyRequest<{ Body: unknown; Querystring: OnBranch & { path?: string; message?: string } }>;

async function writtenBy(
  request: FastifyRequest,
  limit: number,
): Promise<Omit<PutInput, 'preconditions'> & { on: OnBranch }> {
  const { body, query } = request as PutRequest;
  if (request.mediaType === 'application/json') {
    const input = body as WriteFile;
    return {
      path: absolutePath(input.path),
      content: decodeContent({ ...input, field: 'content', limit }),
      message: input.message,
      // The branch may be in the query or in the body, so a client can add it to every address.
      on: { ...query, ...input },
    };
  }
  if (!Buffer.isBuffer(body)) {
    throw new AppError('VALIDATION_ERROR', 'The body must be JSON or the content of a file', { status: 415 });
  }
  if (query.path === undefined) {
    throw malformed('A body that is not JSON requires ?path=', [{ field: 'path', message: 'is required' }]);
  }
  return { path: absolutePath(query.path), content: body, message: query.message, on: query };
}
