import { routes, unversionedRoutes } from '@bottega/contract';
import {
  type App,
  causeOf,
  createOnce,
  type HeavyReads,
  handle,
  type Once,
  principalOf,
} from '../../foundation/http/index.ts';
import { sendContent } from './content.ts';
import type { Downloads } from './downloads.ts';
import { placeOf } from './place-of.ts';
import { searchFiles } from './search.service.ts';
import { createShareLink, readShared } from './share.service.ts';
import type { ShareSigner } from './share-links.ts';

type Options = Once & { signer: ShareSigner; publicUrl: () => string };

export function searchRoutes(app: App, { signer, publicUrl, heavy, ...once }: Options & { heavy: HeavyReads }): void {
  handle(app, routes.searchFiles, (request, reply) => {
    const search = { ...request.query, place: placeOf(request.query) };
    return heavy(request, reply, (reads) =>
      searchFiles(reads, principalOf(request), request.params.project_id, search),
    );
  });

  handle(app, routes.shareFile, (request, reply) => {
    const { project_id: projectId, file_id: fileId } = request.params;
    const link = { projectId, fileId, expiresIn: request.body?.expires_in };
    const context = { signer, publicUrl: publicUrl(), cause: causeOf(request) };
    return createOnce(once, request, reply, (trx) => createShareLink(trx, principalOf(request), link, context));
  });
}

/** The route for share links. It has no version in its path, and people open it without a credential. */
export function sharedFileRoutes(app: App, { db, signer, downloads }: Options & { downloads: Downloads }): void {
  handle(app, unversionedRoutes.readSharedFile, { config: { counted: true } }, async (request, reply) => {
    const shared = await readShared(db, signer, request.params.token);
    await sendContent(request, reply, shared, request.query);
    downloads.note(request, reply, shared);
    return reply;
  });
}
