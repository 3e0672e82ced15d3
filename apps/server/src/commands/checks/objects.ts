import { tryBucket } from '../../deployments/index.ts';
import type { Config } from '../../foundation/config/index.ts';
import { type Check, missing, ok } from './check.ts';

/** Stores an object, reads it and deletes it again, as builds and cleaning do. */
export async function checkObjects({ objects, s3 }: Config): Promise<Check[]> {
  if (objects === null) return [];
  const problem = await tryBucket(objects, s3);
  if (problem === null) return [ok('objects', `${objects} can be written, read and deleted`)];
  const remedy = 'Check BOTTEGA_OBJECTS, BOTTEGA_S3_ENDPOINT and AWS_*. Builds cannot run until this is fixed.';
  return [missing('objects', `${objects} cannot be used: ${problem}`, remedy)];
}
