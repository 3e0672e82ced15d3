export { readDirectory } from './acme/index.ts';
export { sealedKeys } from './certificates.sql.ts';
export { describeAuthority, describePair, inWords, type TlsHealth } from './describe.ts';
export { alwaysNames } from './names.ts';
