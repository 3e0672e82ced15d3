export { sealedKeys } from './certificates.sql.ts';
export { describeAuthority, describePair, inWords } from './describe.ts';
