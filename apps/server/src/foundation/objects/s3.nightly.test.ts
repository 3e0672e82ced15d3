import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useCli } from '../../testing/clients/cli.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { gatewayKeys, useS3Gateway } from '../../testing/parts/s3-gateway.ts';
import { testObjectStore } from './object-store.fixture.ts';
import { s3Store } from './s3-store.ts';

// The smallest size that S3 accepts for a part that is not the last.
const partBytes = 5 * 1024 * 1024;

describeWith(['versitygw'], 'a real S3 server', () => {
  const gateway = useS3Gateway();
  const cli = useCli();
  let stores = 0;
  beforeAll(() => {
    for (const [name, value] of Object.entries(gatewayKeys)) vi.stubEnv(name, value);
  });
  afterAll(() => vi.unstubAllEnvs());

  const open = async () => s3Store(`s3://kept/${++stores}`, { endpoint: gateway.endpoint, region: null }, partBytes);
  testObjectStore(open, partBytes);

  test('receives a backup, which is verified there', async () => {
    const store = await open();
    await store.deleteUnfinished(() => true, 0);
    const settings = {
      BOTTEGA_S3_ENDPOINT: gateway.endpoint,
      ...gatewayKeys,
      BOTTEGA_DATA_DIR: await cli.newDataDir(),
    };
    await cli.run(['migrate'], settings);
    expect(await cli.run(['backup', 's3://kept/a.backup'], settings)).toMatchObject({ code: 0 });
    expect(await cli.run(['verify', 's3://kept/a.backup'], settings)).toMatchObject({ code: 0, stderr: '' });
  });
});
