import type { Readable } from 'node:stream';
import { routes } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type App, handle, principalOf } from '../../foundation/http/index.ts';
import { type Fetches, mustKeepReading, withGitSlot } from '../cache/index.ts';
import { findArchive, streamArchive } from './archive.service.ts';

const types = { zip: 'application/zip', 'tar.gz': 'application/gzip' } as const;

export function archiveRoutes(app: App, { db, ...fetches }: Fetches & { db: Db }): void {
  handle(app, routes.downloadArchive, { exposeHeadRoute: false }, async (request, reply) => {
    const { project_id: projectId } = request.params;
    const archive = await findArchive(db, principalOf(request), projectId, request.query);
    const send = (stream: Readable): void => {
      mustKeepReading(reply);
      void reply
        .header('content-type', types[archive.format])
        .header('content-disposition', `attachment; filename="${archive.name}.${archive.format}"`)
        .header('cache-control', 'private, no-cache')
        .header('x-content-type-options', 'nosniff')
        .send(stream);
    };
    return withGitSlot(fetches.slots, { request, reply }, (signal) =>
      streamArchive(fetches, archive, { signal, send }),
    );
  });
}
