import { expect, test } from 'vitest';
import { useTestService } from '../testing/service/test-service.ts';
import { describeClock } from './machine.ts';

const service = useTestService();
const shifted = (ms: number) => () => Date.now() + ms;

test('a clock that agrees with that of the database is no problem', async () => {
  expect(await describeClock(service.db)).toEqual({ problem: null });
});

test('a clock that is wrong is reported with the difference', async () => {
  const ahead = await describeClock(service.db, shifted(3_600_000));
  expect(ahead.problem).toMatch(/^This machine's clock is 36\d\d s ahead of the database's/);
  const slightly = await describeClock(service.db, shifted(3_500));
  expect(slightly.problem).toMatch(/^This machine's clock is [34] s ahead/);
  const behind = await describeClock(service.db, shifted(-60_000));
  expect(behind.problem).toMatch(/^This machine's clock is [56]\d s behind the database's/);
});
