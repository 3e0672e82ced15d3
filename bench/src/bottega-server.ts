import { readConfig } from '../../apps/server/src/foundation/config/index.ts';
import { openPool } from '../../apps/server/src/foundation/db/pool.ts';
import { bufferedDestination, createLogger } from '../../apps/server/src/foundation/http/watching/logging.ts';
import { createService } from '../../apps/server/src/service.ts';
import { secretKey } from './seed.ts';

// The service as it runs for users, with its request log; only the limits are raised.
const connection = JSON.parse(process.env.BENCH_CONNECTION ?? '{}');
const unlimited = '900000000/900000000';
const config = readConfig({
  PORT: '0',
  BOTTEGA_DATA_DIR: process.env.BENCH_DIR,
  BOTTEGA_RATE_LIMIT_FREE: unlimited,
  BOTTEGA_RATE_LIMIT_PRO: unlimited,
  BOTTEGA_RATE_LIMIT_ENTERPRISE: unlimited,
  BOTTEGA_RATE_LIMIT_SESSION: unlimited,
  BOTTEGA_LIVE_SOCKETS: '10000',
  BOTTEGA_LIVE_MESSAGE_RATE: '1000000',
  // Lets sign-ins appear to come from many addresses.
  BOTTEGA_TRUSTED_PROXIES: '127.0.0.1, ::1',
});
const role = process.env.BENCH_ROLE === 'api' ? 'api' : 'all';
const pool = openPool(connection, { max: config.databasePool, onIdleError: () => undefined });
const log = createLogger('info', bufferedDestination('/dev/null'));
const service = await createService({ config, log, connection, pool, secretKey, role });
await service.listen();
process.send?.(service.publicUrl());
process.on('message', (question: 'memory' | 'processor') => {
  process.send?.(question === 'memory' ? heldBytes() : usedMicroseconds());
});

function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function usedMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
