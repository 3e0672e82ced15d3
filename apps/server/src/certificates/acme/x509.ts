import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  type X509Certificate,
} from 'node:crypto';
import {
  bits,
  contentAt,
  integer,
  octets,
  oid,
  sequence,
  set,
  tagged,
  taggedText,
  time,
  truth,
  unsigned,
  utf8,
} from './der.ts';

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const extensionRequest = oid('1.2.840.113549.1.9.14');
const commonName = oid('2.5.4.3');
const subjectAltName = oid('2.5.29.17');
const acmeIdentifier = oid('1.3.6.1.5.5.7.1.31');
const authorityKeyIdentifier = oid('2.5.29.35');

export const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const publicPart = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });

const signed = (content: Buffer, key: KeyObject): Buffer =>
  sequence(content, ecdsaWithSha256, bits(sign('sha256', content, key)));

/** The extension that names the one host. */
const forName = (name: string): Buffer => sequence(subjectAltName, octets(sequence(taggedText(2, name))));

/** A PKCS #10 request (RFC 2986) for a certificate for this name, signed with the given key. */
export function certificateRequest(name: string, key: KeyObject): Buffer {
  const wanted = tagged(0, sequence(extensionRequest, set(sequence(forName(name)))));
  const version = integer(Buffer.from([0]));
  return signed(sequence(version, sequence(), publicPart(key), wanted), key);
}

const hourMs = 3_600_000;

/** The self-signed certificate of RFC 8737 that proves the key authorization to clients of the challenge protocol. */
export function challengeCertificate(name: string, keyAuthorization: string, key: KeyObject): string {
  const digest = createHash('sha256').update(keyAuthorization).digest();
  const extensions = sequence(forName(name), sequence(acmeIdentifier, truth, octets(octets(digest))));
  const issuer = sequence(set(sequence(commonName, utf8('challenge'))));
  const now = Date.now();
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    issuer,
    sequence(time(new Date(now - 24 * hourMs)), time(new Date(now + 24 * hourMs))),
    issuer,
    publicPart(key),
    tagged(3, extensions),
  );
  const lines =
    signed(content, key)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** The id by which the authority finds a certificate's renewal information (RFC 9773, section 4.1). */
export function renewalIdOf({ raw, serialNumber }: X509Certificate): string | null {
  const at = raw.indexOf(authorityKeyIdentifier);
  const value = at < 0 ? null : contentAt(raw, at + authorityKeyIdentifier.length, 0x04);
  const fields = value && contentAt(value, 0, 0x30);
  const keyId = fields && contentAt(fields, 0, 0x80);
  const serial = Buffer.from(unsigned(Buffer.from(serialNumber, 'hex')));
  return keyId && `${keyId.toString('base64url')}.${serial.toString('base64url')}`;
}
