export { appliesTo, definitionDigest, definitionsIn } from './definitions.service.ts';
export { type CheckDefinition, inOrder } from './parse-checks.ts';
