import { routes } from '@bottega/contract';
import { type App, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { changeBranchRule, createBranchRule, deleteBranchRule, listBranchRules, ruleChecks } from './rules.service.ts';

const whichOf = ({ params }: { params: { project_id: string; rule_id: string } }) => ({
  projectId: params.project_id,
  ruleId: params.rule_id,
});

export function branchRuleRoutes(app: App, { once }: { once: Once }): void {
  const { db } = once;

  handle(app, routes.listBranchRules, async (request) => ({
    data: await listBranchRules(db, principalOf(request), request.params.project_id),
  }));

  handle(app, routes.createBranchRule, { checks: () => ruleChecks }, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createBranchRule(trx, principalOf(request), request.params.project_id, request.body, causeOf(request)),
    ),
  );

  handle(app, routes.changeBranchRule, (request) =>
    changeBranchRule(db, principalOf(request), whichOf(request), request.body, causeOf(request)),
  );

  handle(app, routes.deleteBranchRule, async (request, reply) => {
    await deleteBranchRule(db, principalOf(request), whichOf(request), causeOf(request));
    return reply.code(204).send(null);
  });
}
