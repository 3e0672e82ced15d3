import { expect, test } from 'vitest';
import { firstIdAt, newId } from '../../foundation/ids.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { deleteEntriesOlderThan } from './index.ts';

const service = useTestService({ role: 'api' });

test('an old entry is deleted with its partition, and the entries of the last days stay', async () => {
  const day = 86_400_000;
  const insert = (id: string) =>
    service.pool.query("insert into audit_log (id, action, account_id) values ($1, 'user.signed_in', 'usr_old')", [id]);
  for (let days = 40; days >= 15; days -= 2) await deleteEntriesOlderThan(service.db, 12, Date.now() - days * day);
  const [old, young] = [20, 2].map(
    (days) => firstIdAt('aud', new Date(Date.now() - days * day)).slice(0, 14) + newId('aud').slice(14),
  );
  await insert(old ?? '');
  await insert(young ?? '');
  await deleteEntriesOlderThan(service.db, 12);
  const { rows } = await service.pool.query("select id from audit_log where account_id = 'usr_old'");
  expect(rows).toEqual([{ id: young }]);
  await expect(service.pool.query("delete from audit_log where account_id = 'usr_old'")).rejects.toThrow('append-only');
});
