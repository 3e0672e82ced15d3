export { type Block, hasManagersApproval } from './approvals.service.ts';
export { readinessOf } from './readiness.service.ts';
export { branchRuleRoutes } from './rules.routes.ts';
export { noRule, type Rule, ruleOf } from './strictest.ts';
