import {
  Branch,
  BranchList,
  Commit,
  CommitDetail,
  CommitList,
  CommitListQuery,
  CreateBranch,
  CreateCommit,
  ErrorBody,
} from '@bottega/contract';
import type { preParsingHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../../foundation/config/index.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import type { HeavyReads } from '../../foundation/http/heavy-reads.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import { asPage } from '../../foundation/http/pagination.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import type { FileWrites } from '../store/index.ts';
import { createBranch, deleteBranch, listBranches } from './branches.service.ts';
import { listCommits, readCommit } from './history.service.ts';
import { createCommit } from './write.service.ts';

const tags = ['History'];
const ofProject = Type.Object({ project_id: Type.String() });

type Options = FileWrites & Once & { config: Config; largeBodies: preParsingHookHandler; heavy: HeavyReads };

export function historyRoutes(app: App, options: Options): void {
  const { config, writeQueue, quota, publicUrl, largeBodies, heavy, ...once } = options;
  const { db } = once;

  app.get(
    '/projects/:project_id/commits',
    {
      config: { access: 'read:files' },
      schema: {
        tags,
        summary: 'List commits, newest first',
        params: ofProject,
        querystring: CommitListQuery,
        response: { 200: CommitList, 422: ErrorBody },
      },
    },
    async (request, reply) => {
      const found = await heavy(request, reply, () =>
        listCommits(db, principalOf(request), request.params.project_id, request.query),
      );
      return asPage(request, reply, publicUrl(), found);
    },
  );

  app.get(
    '/projects/:project_id/commits/:sha',
    {
      config: { access: 'read:files' },
      schema: {
        tags,
        summary: 'Read a commit with its differences',
        params: Type.Object({ project_id: Type.String(), sha: Type.String() }),
        response: { 200: CommitDetail },
      },
    },
    async (request, reply) => {
      const { project_id, sha } = request.params;
      const commit = await heavy(request, reply, () => readCommit(db, principalOf(request), project_id, sha));
      // Diffs are long, and the compiled serializer escapes them character by character: five times as slow.
      reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
      return commit;
    },
  );

  app.post(
    '/projects/:project_id/commits',
    {
      bodyLimit: config.fileBodyLimit,
      preParsing: largeBodies,
      config: { access: 'write:files' },
      schema: {
        tags,
        summary: 'Make several changes in one commit: all or nothing',
        params: ofProject,
        body: CreateCommit,
        response: { 201: Commit },
      },
    },
    (request, reply) => {
      const context = {
        principal: principalOf(request),
        projectId: request.params.project_id,
        cause: causeOf(request),
        fileLimit: config.fileLimit,
        quota,
        publicUrl: publicUrl(),
      };
      return writeQueue(context.projectId, () =>
        createOnce(once, request, reply, (trx) => createCommit(trx, context, request.body)),
      );
    },
  );

  app.get(
    '/projects/:project_id/branches',
    {
      config: { access: 'read:files' },
      schema: { tags, summary: 'List branches', params: ofProject, response: { 200: BranchList } },
    },
    async (request) => ({ data: await listBranches(db, principalOf(request), request.params.project_id) }),
  );

  app.post(
    '/projects/:project_id/branches',
    {
      config: { access: 'write:files' },
      schema: { tags, summary: 'Create a branch', params: ofProject, body: CreateBranch, response: { 201: Branch } },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) =>
        createBranch(trx, principalOf(request), request.params.project_id, request.body),
      ),
  );

  // Clients made from the OpenAPI document send the slash of a name as %2F; by hand it may stand as it is.
  for (const [place, hide] of [
    [':branch', false],
    ['*', true],
  ] as const) {
    app.delete(
      `/projects/:project_id/branches/${place}`,
      {
        config: { access: 'write:files' },
        schema: {
          tags,
          hide,
          summary: 'Delete a branch',
          params: Type.Object({ project_id: Type.String(), [place.replace(':', '')]: Type.String() }),
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { project_id: projectId = '', branch, '*': rest } = request.params as Record<string, string>;
        await deleteBranch(db, principalOf(request), projectId, branch ?? rest ?? '');
        return reply.code(204).send(null);
      },
    );
  }
}
