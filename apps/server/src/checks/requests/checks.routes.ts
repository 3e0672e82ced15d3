import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { followLogs, lastLineOf, logsAsJson } from '../../deployments/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { asksForEvents, sendEvents } from '../../foundation/http/answers/server-sent-events.ts';
import { type App, asPage, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { logOfCheck } from '../state/index.ts';
import type { WantTools } from '../wanting/index.ts';
import { checksOfCommit, listAnnotations, listRuns, mustFindRun, readRun, runOfMember } from './read.service.ts';
import { changeReport, createReport } from './reports.service.ts';
import { cancelCheck, rerunCheck, runChecks } from './run.service.ts';

type Options = WantTools & {
  db: Db;
  once: Once;
  publicUrl: () => string;
  isDraining: () => boolean;
  /** Throws if the request's credential is no longer valid. */
  stillHolds: (request: FastifyRequest) => Promise<void>;
};

const which = ({ params }: { params: { project_id: string; check_id: string } }) => ({
  projectId: params.project_id,
  id: params.check_id,
});

export function checkRoutes(app: App, options: Options): void {
  const { db, once, box, bell, publicUrl } = options;

  handle(app, routes.listCheckRuns, async (request, reply) => {
    const page = await listRuns(db, principalOf(request), request.params.project_id, request.query);
    return asPage(request, reply, publicUrl(), page);
  });

  handle(app, routes.createCheckRun, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createReport(trx, principalOf(request), request.params.project_id, request.body, causeOf(request)),
    ),
  );

  handle(app, routes.runChecks, (request, reply) => {
    const context = { box, bell, cause: causeOf(request) };
    return createOnce(once, request, reply, (trx) =>
      runChecks(trx, principalOf(request), request.params.project_id, request.body, context),
    );
  });

  handle(app, routes.readCheckRun, (request) => readRun(db, principalOf(request), which(request)));

  handle(app, routes.changeCheckRun, (request) => {
    const change = { input: request.body, cause: causeOf(request) };
    return changeReport(db, principalOf(request), which(request), change);
  });

  handle(app, routes.listCheckAnnotations, async (request) => ({
    data: await listAnnotations(db, principalOf(request), which(request)),
  }));

  handle(app, routes.rerunCheck, (request) =>
    rerunCheck({ db, bell, cause: causeOf(request) }, principalOf(request), which(request)),
  );

  handle(app, routes.cancelCheck, (request) =>
    cancelCheck({ db, bell, cause: causeOf(request) }, principalOf(request), which(request)),
  );

  handle(app, routes.listCommitChecks, (request) =>
    checksOfCommit(db, principalOf(request), request.params.project_id, request.params.sha),
  );

  logRoute(app, options);
}

function logRoute(app: App, { db, bell, isDraining, stillHolds }: Options): void {
  handle(app, routes.readCheckLogs, async (request, reply) => {
    const principal = principalOf(request);
    const { id } = await runOfMember(db, principal, which(request));
    // A stream is sent as text, so its type differs from the schema that describes it.
    if (!asksForEvents(request)) {
      reply.type('application/json; charset=utf-8');
      return reply.send(logsAsJson(db, logOfCheck(id), request.query) as never);
    }
    const closed = new AbortController();
    const lines = followLogs(db, logOfCheck(id), {
      ...{ bell, isDraining, signal: closed.signal, source: request.query.source },
      after: lastLineOf(request) ?? request.query.after ?? 0,
      async ended() {
        const { conclusion } = await mustFindRun(db, which(request));
        return conclusion === null ? null : { conclusion };
      },
      mayStill: () => stillHolds(request).then(() => runOfMember(db, principal, which(request))),
    });
    return sendEvents(reply as never, lines, () => closed.abort()) as never;
  });
}
