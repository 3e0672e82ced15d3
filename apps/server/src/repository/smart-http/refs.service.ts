import type { Db } from '../../foundation/db/pool.ts';
import { type Ref, readState } from './git-store.sql.ts';

export async function listAllRefs(db: Db, projectId: string): Promise<Ref[]> {
  return (await readState(db, projectId)).refs;
}
