import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useS3Server } from '../foundation/objects/s3-server.fixture.ts';
import { useCli } from '../testing/clients/cli.ts';

const cli = useCli();
const server = useS3Server();

const settingsOf = (dataDir: string) => ({
  BOTTEGA_DATA_DIR: dataDir,
  BOTTEGA_S3_ENDPOINT: server.endpoint,
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
});

test('a backup is written to a bucket, verified there, and restored from there', async () => {
  const dataDir = await cli.newDataDir();
  const settings = settingsOf(dataDir);
  await cli.run(['admin', 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada'], settings);
  const address = 's3://bucket/kept/today.backup';
  expect(await cli.run(['backup', address], settings)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^(Backing up.*\n)+$/),
    stdout: expect.stringMatching(/^s3:\/\/bucket\/kept\/today\.backup: \d+ rows from \d+ tables/),
  });
  const named = await cli.run(['backup', 's3://bucket/kept/', '--json'], settings);
  expect(JSON.parse(named.stdout).file).toMatch(/^s3:\/\/bucket\/kept\/bottega-\d{8}T\d{6}Z\.backup$/);
  expect([...server.objects.keys()]).toHaveLength(2);
  expect(await cli.run(['verify', address], settings)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The backup is complete: /),
  });

  const elsewhere = await cli.newDataDir();
  const restored = await cli.run(['restore', address], settingsOf(elsewhere));
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored \d+ rows/) });
  const again = ['admin', 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada'];
  expect((await cli.run(again, settingsOf(elsewhere))).code).toBe(1);
});

test('a problem with a bucket is reported in one line', async () => {
  const dataDir = await cli.newDataDir();
  mkdirSync(dirname(dataDir), { recursive: true });
  const noCredentials = {
    AWS_SHARED_CREDENTIALS_FILE: join(dirname(dataDir), 'none'),
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  writeFileSync(join(dirname(dataDir), 'none'), '');
  const told = async (args: string[], changed: Record<string, string> = {}) =>
    (await cli.run(args, { ...settingsOf(dataDir), ...changed })).stderr;
  expect(await told(['verify', 's3://bucket/none.backup'])).toBe(
    'bottega: The backup cannot be read: s3://bucket/none.backup does not exist\n',
  );
  expect(await told(['verify', 's3://B/x'])).toBe('bottega: s3://B/x is not an address such as s3://bucket/prefix\n');
  server.fault = () => 403;
  expect(await told(['verify', 's3://bucket/none.backup'])).toMatch(
    /^bottega: The backup cannot be read: s3:\/\/bucket\/none\.backup: [^\n]*403\n$/,
  );
  const without = { ...noCredentials, AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
  expect(await told(['verify', 's3://bucket/none.backup'], without)).toMatch(
    /^bottega: The backup cannot be read: s3:\/\/bucket\/none\.backup: [^\n]*credentials[^\n]*\n$/i,
  );
});
