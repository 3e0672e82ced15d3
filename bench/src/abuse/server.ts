import { readConfig } from '../../../apps/server/src/foundation/config/index.ts';
import { openPool } from '../../../apps/server/src/foundation/db/pool.ts';
import { bufferedDestination, createLogger } from '../../../apps/server/src/foundation/http/logging.ts';
import { createService } from '../../../apps/server/src/service.ts';
import { secretKey } from '../seed.ts';

// The service with its own limits: attackers have a free account, and whoever measures an enterprise one without any.
const connection = JSON.parse(process.env.BENCH_CONNECTION ?? '{}');
const dataDir = process.env.BENCH_DATA_DIR ?? '';
const config = readConfig({
  PORT: process.env.BENCH_PORT ?? '0',
  BOTTEGA_DATA_DIR: dataDir,
  BOTTEGA_BUILD_DIR: process.env.BENCH_BUILD_DIR ?? '',
  BOTTEGA_SMTP_URL: process.env.BENCH_SMTP_URL ?? '',
  BOTTEGA_RATE_LIMIT_ENTERPRISE: '900000000/900000000',
});
const pool = openPool(connection, { max: config.databasePool, onIdleError: () => undefined });
const log = createLogger('info', bufferedDestination('/dev/null'));
const service = await createService({ config, log, connection, pool, secretKey, role: 'all' });
await service.listen();
process.once('SIGTERM', () => void service.drain().finally(() => process.exit(0)));
process.send?.(service.publicUrl());
