import { expect, test } from 'vitest';
import { urlOf } from '../../commands/database-url.fixture.ts';
import { useCli } from '../../testing/clients/cli.ts';
import { knownOf, useReleases } from './releases.fixture.ts';

const cli = useCli();
const releases = useReleases();

test('a database of 0.1 is migrated by `bottega migrate`, and everything in it is complete and works', async () => {
  const connection = await releases.load01();
  const settings = { DATABASE_URL: urlOf(connection), BOTTEGA_SECRET_KEY: knownOf('0.1.0').secret_key };
  const migrated = await cli.run(['migrate'], settings);
  expect(migrated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Applied 0013-.*\.\n$/) });
  expect(await cli.run(['migrate'], settings)).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  await releases.expectWhole(connection, '0.1.0');
});
