export { requestChecks } from './checks.view.ts';
export { planChecks } from './plan.service.ts';
export { startChecks } from './start.service.ts';
export { type PrepareMerge, testRequest, type WantChecks } from './test.service.ts';
export { testerOf } from './tester.ts';
export { missingChecks } from './verdict.service.ts';
