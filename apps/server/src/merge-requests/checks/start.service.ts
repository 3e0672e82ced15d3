import { transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, type Principal } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { type Reading, readableRequest, type Which } from '../requests/index.ts';
import * as rows from '../state/index.ts';

/** Allows the checks of a commit to run. A member who can edit the project has looked at the commit before. */
export async function startChecks(
  reading: Reading,
  principal: Principal,
  { which, head, cause }: { which: Which; head: string; cause: Cause },
): Promise<rows.RequestRow> {
  const { state } = await readableRequest(reading, principal, which, cause);
  if (state !== 'open') throw conflict(`The merge request is ${state}`);
  return transaction(reading.db, async (trx) => {
    await lockWritableProject(trx, which.projectId, principal.userId);
    const row = await rows.findRequest(trx, which.projectId, which.number);
    if (row?.head_sha.toString('hex') !== head) {
      throw conflict('The merge request has a newer version; look at that version first');
    }
    await rows.noteStarted(trx, row, row.head_sha);
    await rows.wantTest(trx, row);
    return { ...row, started_sha: row.head_sha };
  });
}
