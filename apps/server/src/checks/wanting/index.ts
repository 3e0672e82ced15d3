export { wantPushed } from './pushed.service.ts';
export { findReports, findRuns, type Wanted, type WantTools, wantChecks } from './want.service.ts';
