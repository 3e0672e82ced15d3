import { type CreateCommit, routes } from '@bottega/contract';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Config } from '../../foundation/config/index.ts';
import { jsonInSlices } from '../../foundation/http/answers/json-in-slices.ts';
import {
  type App,
  asPage,
  causeOf,
  createOnce,
  type HeavyReads,
  handle,
  type Once,
  principalOf,
} from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import { commitToBranchFrom, type FileWrites, type Pushed } from '../store/index.ts';
import { createBranch, deleteBranch, listBranches, readBranch } from './branches.service.ts';
import { listCommits, readCommit } from './history.service.ts';
import { writtenBranch } from './place-of.ts';
import { createCommit, readChanges } from './write.service.ts';

type Options = FileWrites &
  Once & { config: Config; largeBodies: preParsingHookHandler; heavy: HeavyReads; pushed: Pushed };

export function historyRoutes(app: App, options: Options): void {
  const { config, writeQueue, quota, publicUrl, largeBodies, heavy, pushed, ...once } = options;
  const { db } = once;

  handle(app, routes.listCommits, async (request, reply) => {
    const page = await heavy(request, reply, (reads) =>
      listCommits(reads, principalOf(request), request.params.project_id, request.query),
    );
    return asPage(request, reply, publicUrl(), page);
  });

  handle(app, routes.readCommit, async (request, reply) => {
    const { project_id, sha } = request.params;
    const commit = await heavy(request, reply, (reads) =>
      readCommit(reads, principalOf(request), project_id, { sha, ...request.query }),
    );
    // Diffs are long, and the compiled serializer would escape them character by character without a pause.
    const text = await jsonInSlices(commit, 'files');
    reply.type('application/json; charset=utf-8').serializer(() => text);
    return commit;
  });

  const largeCommit = {
    bodyLimit: config.fileBodyLimit,
    preParsing: largeBodies,
    checks: () => ({
      changes: async (changes: CreateCommit['changes']) => void (await readChanges(changes, config.fileLimit)),
    }),
  };
  handle(app, routes.createCommit, largeCommit, (request, reply) => {
    const context = {
      principal: principalOf(request),
      projectId: request.params.project_id,
      cause: causeOf(request),
      ...writtenBranch(request.body),
      fileLimit: config.fileLimit,
      quota,
      publicUrl: publicUrl(),
    };
    return writeQueue(context.projectId, () =>
      createOnce(once, request, reply, (trx) => createCommit(trx, context, request.body)),
    );
  });

  handle(app, routes.listBranches, async (request) => ({
    data: await listBranches(db, principalOf(request), request.params.project_id),
  }));

  handle(app, routes.readBranch, (request) =>
    readBranch(db, principalOf(request), request.params.project_id, request.params.branch),
  );

  handle(app, routes.readBranchWithSlash, (request) =>
    readBranch(db, principalOf(request), request.params.project_id, request.params['*']),
  );

  const branchChecks = (request: FastifyRequest) => ({
    from: async (from: string) => {
      const { project_id: id } = request.params as { project_id: string };
      await readableProject(db, id, principalOf(request).userId);
      await commitToBranchFrom(db, id, from);
    },
  });
  handle(app, routes.createBranch, { checks: branchChecks }, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createBranch(trx, principalOf(request), request.params.project_id, request.body, causeOf(request)),
    ),
  );

  const deleteNamed = (request: FastifyRequest, projectId: string, name: string) =>
    deleteBranch({ db, pushed }, { principal: principalOf(request), projectId, name, cause: causeOf(request) });

  handle(app, routes.deleteBranch, (request) => deleteNamed(request, request.params.project_id, request.params.branch));

  handle(app, routes.deleteBranchWithSlash, (request) =>
    deleteNamed(request, request.params.project_id, request.params['*']),
  );
}
