import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts values for one purpose. A value that was sealed for another purpose cannot be opened. */
export type SecretBox = {
  seal(text: string): Buffer;
  open(sealed: Buffer): string;
  /** A keyed digest: the same text has the same digest, and without the key nobody can test guesses against it. */
  digest(text: string): Buffer;
};

/** AES-256-GCM with one key per purpose, derived from the installation's secret key. */
export function secretBox(secretKey: Buffer, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `bottega ${purpose}`, 32));
  return {
    seal(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
    digest: (text) => createHmac('sha256', key).update(text).digest(),
  };
}
