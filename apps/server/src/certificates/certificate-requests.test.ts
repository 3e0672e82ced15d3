import { beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../foundation/db/index.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { deleteOldCertificates, insertRequest, requestAlways } from './certificates.sql.ts';
import { findAccountKey } from './issuer.sql.ts';
import { registeredDomain } from './registered-domain.ts';

const service = useTestService({ role: 'api' });
const directory = 'https://ca.test/dir';
const limits = { aWeek: 4, aWeekOfOne: 2, keptForFirsts: 0, inAll: 6 };

const want = (name: string, accountId: string) =>
  transaction(service.db, (trx) => insertRequest(trx, { directory, name, accountId }, limits));
const aWeekPasses = () => service.pool.query("update certificates set wanted_at = wanted_at - interval '8 days'");
const names = async () => {
  const { rows } = await service.pool.query<{ name: string }>('select name from certificates order by name');
  return rows.map(({ name }) => name);
};

beforeEach(async () => {
  await service.pool.query('delete from certificates');
  await findAccountKey(service.db, directory, () => Buffer.from('key'));
});

describe('certificates for apps', () => {
  test('are requested once, however often they are asked for', async () => {
    expect(await Promise.all([want('a', 'one'), want('a', 'one'), want('a', 'one')])).toEqual([true, true, true]);
    expect(await names()).toEqual(['a']);
  });

  test('are limited for each account, so that other accounts get theirs', async () => {
    expect([await want('a', 'one'), await want('b', 'one'), await want('c', 'one')]).toEqual([true, true, false]);
    expect(await want('d', 'two')).toBe(true);
  });

  test('are limited for each week and in total, even if many are requested at once', async () => {
    const many = (prefix: string) =>
      Promise.all(Array.from({ length: 8 }, (_, count) => want(`${prefix}${count}`, `account ${count}`)));
    expect((await many('a')).filter(Boolean)).toHaveLength(4);
    await aWeekPasses();
    expect((await many('b')).filter(Boolean)).toHaveLength(2);
    expect(await names()).toHaveLength(6);
  });

  test('are counted separately from those of custom domains', async () => {
    const custom = { directory, name: 'shop.test', accountId: 'one', isCustom: true };
    await want('a', 'one');
    await want('b', 'one');
    expect(await transaction(service.db, (trx) => insertRequest(trx, custom, limits))).toBe(true);
    expect(await want('c', 'one')).toBe(false);
  });

  test('are reserved for accounts that have none yet this week, whatever other accounts have requested', async () => {
    const reserving = { aWeek: 8, aWeekOfOne: 2, keptForFirsts: 4, inAll: 100 };
    const wanted = (name: string, accountId: string) =>
      transaction(service.db, (trx) => insertRequest(trx, { directory, name, accountId }, reserving));
    const greedy = ['one', 'two', 'three', 'four'];
    for (const account of greedy) for (const name of ['a', 'b', 'c']) await wanted(`${account}${name}`, account);
    // Two names of each of the first two accounts, and one of each of the others.
    expect(await names()).toHaveLength(6);
    expect([await wanted('x', 'new'), await wanted('y', 'new'), await wanted('z', 'newer')]).toEqual([
      true,
      false,
      true,
    ]);
    await aWeekPasses();
    expect(await wanted('y', 'new')).toBe(true);
  });

  test('are not limited by the host names of the service itself', async () => {
    await requestAlways(service.db, directory, ['x', 'y', 'z', 'u', 'v', 'w', 't']);
    expect(await want('a', 'one')).toBe(true);
  });
});

describe('certificates for custom domains', () => {
  const custom = (name: string, accountId: string) =>
    transaction(service.db, (trx) =>
      insertRequest(trx, { directory, name, accountId, isCustom: true }, { ...limits, aWeek: 100, inAll: 100 }),
    );

  test('are limited for each registered domain, whichever accounts request them', async () => {
    expect(await custom('shop.test', 'one')).toBe(true);
    expect(await custom('a.shop.test', 'two')).toBe(true);
    expect([await custom('b.shop.test', 'three'), await custom('c.d.shop.test', 'four')]).toEqual([false, false]);
    expect([await custom('othershop.test', 'three'), await custom('shop.example', 'four')]).toEqual([true, true]);
  });

  test.each([
    ['www.shop.example', 'shop.example'],
    ['shop.example', 'shop.example'],
    ['a.b.shop.co.uk', 'shop.co.uk'],
    ['www.shop.com.au', 'shop.com.au'],
    ['www.bbc.uk', 'bbc.uk'],
    ['xn--4ca.example', 'xn--4ca.example'],
  ])('count the domain %s as part of %s', (name, zone) => expect(registeredDomain(name)).toBe(zone));
});

describe('cleaning', () => {
  const hold = (name: string, until: string) =>
    service.pool.query(`update certificates set not_after = now() + interval '${until}' where name = $1`, [name]);

  test('removes an expired certificate a week after its request at the earliest, so removing a name frees no quota', async () => {
    await want('a', 'one');
    await want('b', 'one');
    await hold('b', '-1 minute');
    await deleteOldCertificates(service.db);
    expect(await want('c', 'one')).toBe(false);
    await hold('b', '1 day');
    await aWeekPasses();
    await deleteOldCertificates(service.db);
    expect(await names()).toEqual(['b']);
  });
});
