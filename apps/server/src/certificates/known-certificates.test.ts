import { expect, test, vi } from 'vitest';
import type { SecretBox } from '../foundation/crypto/secret-box.ts';
import { selfSigned } from '../foundation/tls/self-signed.fixture.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { requestAlways } from './certificates.sql.ts';
import { storeCertificate } from './issuer.sql.ts';
import { createKnownCertificates } from './known-certificates.ts';

const service = useTestService({ role: 'api' });
const directory = 'https://ca.test/dir';
const plainly = { open: (sealed: Buffer) => sealed.toString() } as SecretBox;

test('a client that asks for thousands of names delays nobody whose certificate is known', async () => {
  const { cert, key } = selfSigned(['known.test']);
  const named = { directory, name: 'known.test' };
  const dates = { notAfter: new Date(), renewAt: new Date(), lookAgainMs: null };
  await requestAlways(service.db, directory, [named.name]);
  await storeCertificate(service.db, named, { chain: cert, key: Buffer.from(key), ...dates });
  const { promise: unanswered, resolve: answer } = Promise.withResolvers<boolean>();
  const known = createKnownCertificates({
    db: service.db,
    box: plainly,
    directory,
    names: { fits: () => true },
    requestCertificate: () => unanswered,
  });
  const context = await known.forClient(named.name);
  expect(context).not.toBeNull();
  const strangers = Array.from({ length: 300 }, (_, count) => known.forClient(`${count}.test`));
  expect(await Promise.race(strangers)).toBeNull();
  // The cached certificate is now old enough to be read again.
  const later = Date.now() + 5_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(later);
  expect(await known.forClient(named.name)).toBe(context);
  clock.mockRestore();
  answer(false);
  expect(new Set(await Promise.all(strangers))).toEqual(new Set([null]));
});
