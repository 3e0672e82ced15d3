import { backUp, verifyBackup } from '../../apps/server/src/backups/index.ts';
import { objectReader } from '../../apps/server/src/deployments/index.ts';
import { placeOf } from '../../apps/server/src/foundation/objects/index.ts';
import { version } from '../../apps/server/src/foundation/version.ts';

/** Makes or verifies a backup, and reports the time and the peak memory. */
const [what = '', path = ''] = process.argv.slice(2);
const s3 = { endpoint: null, region: null };
const place = placeOf(path, s3);
const began = performance.now();
if (what === 'verify') {
  await verifyBackup(place, null);
} else {
  const connection = JSON.parse(process.env.BENCH_CONNECTION ?? '');
  const readObject = objectReader(s3);
  await backUp(connection, {
    place,
    version,
    passphrase: null,
    secretKey: null,
    readObject,
    progress: () => undefined,
  });
}
process.send?.({ ms: performance.now() - began, peak: process.resourceUsage().maxRSS * 1024 });
