import { CreateShareLink, SearchQuery, SearchResults, ShareLink } from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import type { HeavyReads } from '../../foundation/http/heavy-reads.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { sendContent } from './content.ts';
import type { Downloads } from './downloads.ts';
import { searchFiles } from './search.service.ts';
import { createShareLink, readShared } from './share.service.ts';
import type { ShareSigner } from './share-links.ts';

const tags = ['Files'];

type Options = Once & { signer: ShareSigner; publicUrl: () => string };

export function searchRoutes(app: App, { signer, publicUrl, heavy, ...once }: Options & { heavy: HeavyReads }): void {
  app.get(
    '/projects/:project_id/search',
    {
      config: { access: 'read:files' },
      schema: {
        tags,
        summary: 'Find text in the files of a project',
        params: Type.Object({ project_id: Type.String() }),
        querystring: SearchQuery,
        response: { 200: SearchResults },
      },
    },
    (request, reply) =>
      heavy(request, reply, () => searchFiles(once.db, principalOf(request), request.params.project_id, request.query)),
  );

  app.post(
    '/projects/:project_id/files/:file_id/share',
    {
      config: { access: 'write:files' },
      schema: {
        tags,
        summary: 'Make a link that shows a file to anyone until it expires',
        params: Type.Object({ project_id: Type.String(), file_id: Type.String() }),
        body: Type.Union([CreateShareLink, Type.Null()]),
        response: { 201: ShareLink },
      },
    },
    (request, reply) => {
      const { project_id: projectId, file_id: fileId } = request.params;
      const link = { projectId, fileId, expiresIn: request.body?.expires_in ?? 86_400 };
      const context = { signer, publicUrl: publicUrl(), cause: causeOf(request) };
      return createOnce(once, request, reply, (trx) => createShareLink(trx, principalOf(request), link, context));
    },
  );
}

/** Outside the versioned mounts, since it is opened by people without a credential. */
export function sharedFileRoutes(app: App, { db, signer, downloads }: Options & { downloads: Downloads }): void {
  app.get(
    '/shared/:token',
    {
      config: { access: 'public', counted: true },
      schema: {
        hide: true,
        params: Type.Object({ token: Type.String() }),
        querystring: Type.Object({ download: Type.Boolean({ default: false }) }),
      },
    },
    async (request, reply) => {
      const shared = await readShared(db, signer, request.params.token);
      sendContent(request, reply, shared, request.query);
      downloads.note(request, reply, shared);
      return reply;
    },
  );
}
