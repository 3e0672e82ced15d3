import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  bits,
  integer,
  octets,
  oid,
  sequence,
  set,
  tagged,
  taggedText,
  time,
  utf8,
} from '../../certificates/acme/der.ts';

export type TestPair = { cert: string; key: string };

const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
const dayMs = 24 * 3_600_000;

/** A self-signed certificate for these names. A client that gets it as an authority trusts its host. */
export function selfSigned(names: string[], days = 2): TestPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = sequence(set(sequence(oid('2.5.4.3'), utf8(`test ${randomBytes(4).toString('hex')}`))));
  const forNames = sequence(...names.map((name) => taggedText(2, name)));
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.from([1, ...randomBytes(8)])),
    algorithm,
    issuer,
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + days * dayMs))),
    issuer,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(sequence(oid('2.5.29.17'), octets(forNames)))),
  );
  const der = sequence(content, algorithm, bits(sign('sha256', content, privateKey)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
