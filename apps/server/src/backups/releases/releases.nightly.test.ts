import { expect, test } from 'vitest';
import { migrationNames } from '../../foundation/db/migrate.ts';
import { kept, useReleases } from './releases.fixture.ts';

const releases = useReleases();

test('a database of 0.1 is backed up by this version before its migration, and restored into tables of this version', async () => {
  const older = await releases.load01();
  const target = await releases.newDatabase();
  const { manifest } = await releases.restore(target, await releases.backUp(older));
  expect(manifest.migrations).toEqual(migrationNames().slice(0, 12));
  await releases.expectWhole(target, '0.1.0');
});

test.for(['0.2.0'])('a backup of %s is restored, and everything in it is complete and works', async (version) => {
  const target = await releases.newDatabase();
  await releases.restore(target, kept(`${version}.backup`));
  await releases.expectWhole(target, version);
});
