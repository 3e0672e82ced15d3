import { expect, test } from 'vitest';
import { useNameServer } from '../testing/parts/name-server.ts';
import { createLookup } from './lookup.ts';

const names = useNameServer();

test('lookups of one account that wait for a silent name server do not delay those of other accounts', async () => {
  names.silence('.silent.test');
  names.set('www.quick.test', 'A', '127.0.0.1');
  const lookup = createLookup([names.address], () => 'localhost');
  let ended = 0;
  const slow = Array.from({ length: 54 }, (_one, number) =>
    lookup.domain('usr_busy', `www${number}.silent.test`).then((found) => {
      ended++;
      return found;
    }),
  );
  expect(await lookup.domain('usr_other', 'www.quick.test')).toMatchObject({ addresses: ['127.0.0.1'] });
  // The first eight may have ended if the machine stalls. The others had to wait for them.
  expect(ended).toBeLessThanOrEqual(8);
  expect(names.asked('www53.silent.test')).toBe(0);
  names.silence('.silent.test', false);
  expect((await Promise.all(slow)).length).toBe(54);
});
