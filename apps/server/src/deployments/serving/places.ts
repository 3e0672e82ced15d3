import { reasonSentence } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Taker } from '../state/index.ts';
import { claimInstance, unwantApp, type WantedApp } from './instances.sql.ts';
import * as rows from './places.sql.ts';

/**
 * Takes a slot for the app among those of its account. If all are taken, an app that is neither live nor recently
 * visited is put to sleep, and the next attempt finds its slot free. If there is no such app, this app is refused, and
 * everyone who waits for it gets the reason. The live app of the same project does not count, because this app may be
 * about to replace it.
 */
export async function takePlace(
  db: Db,
  id: string,
  app: WantedApp,
  { workerId, limits, isLastPlace }: Taker,
): Promise<'taken' | 'later'> {
  return transaction(db, async (trx) => {
    await rows.holdAppsOf(trx, app.owner_id);
    const others = await rows.listOthers(trx, app);
    if (isLastPlace && others.length > 0) return 'later';
    const verdict = judge(others, limits[app.plan]);
    if (verdict === 'start') return (await claimInstance(trx, id, app.deployment_id, workerId)) ? 'taken' : 'later';
    if (verdict === 'refuse') await rows.refuseInstance(trx, id, app.deployment_id, workerId, refusal(app, limits));
    else if (verdict !== 'wait') await unwantApp(trx, verdict.sleeps);
    return 'later';
  });
}

function judge(others: rows.OtherApp[], limit: number | null): 'start' | 'wait' | 'refuse' | { sleeps: string } {
  if (limit === null || others.length < limit) return 'start';
  const staying = others.filter(({ leaving }) => !leaving);
  if (staying.length < limit) return 'wait';
  // The least recently visited app comes first.
  const idle = staying.find((other) => other.idle);
  return idle ? { sleeps: idle.deployment_id } : 'refuse';
}

const refusal = ({ plan }: WantedApp, limits: Taker['limits']): string =>
  reasonSentence('app_limit', { plan, count: String(limits[plan]) });
