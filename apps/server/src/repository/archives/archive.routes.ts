import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Db } from '../../foundation/db/pool.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { type Fetches, mustKeepReading, withGitSlot } from '../cache/index.ts';
import { findArchive, streamArchive } from './archive.service.ts';

const ofProject = Type.Object({ project_id: Type.String() });
const ArchiveQuery = Type.Object({
  format: Type.Enum(['zip', 'tar.gz'], { default: 'zip' }),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A branch, tag or commit' })),
});

const types = { zip: 'application/zip', 'tar.gz': 'application/gzip' } as const;

export function archiveRoutes(app: App, { db, ...fetches }: Fetches & { db: Db }): void {
  app.get(
    '/projects/:project_id/archive',
    {
      exposeHeadRoute: false,
      config: { access: 'read:files' },
      schema: {
        tags: ['Files'],
        summary: 'Download all files as an archive',
        params: ofProject,
        querystring: ArchiveQuery,
      },
    },
    async (request, reply) => {
      const { project_id: projectId } = request.params;
      const archive = await findArchive(db, principalOf(request), projectId, {
        ref: request.query.ref,
        format: request.query.format,
      });
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
    },
  );
}
