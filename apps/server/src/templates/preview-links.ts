import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Signs the pass in the address of a private template's preview. The pass opens the preview without a credential until
 * it expires.
 */
export type PreviewSigner = { sign(templateId: string): string; verify(templateId: string, pass: string): boolean };

const daySeconds = 86_400;

/** The form of a pass, which is the first segment of a private preview's path. */
export const isPass = (segment: string): boolean => /^~[0-9a-z]{1,9}\.[\w-]{43}$/.test(segment);

export function previewSigner(secretKey: Buffer): PreviewSigner {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega template previews', 32));
  const mac = (id: string, day: string): Buffer => createHmac('sha256', key).update(`${id}.${day}`).digest();
  return {
    // A pass is valid to the end of the next day, so the address stays stable and browsers can cache the page.
    sign(templateId) {
      const day = (Math.floor(Date.now() / 1000 / daySeconds) + 2).toString(36);
      return `~${day}.${mac(templateId, day).toString('base64url')}`;
    },
    verify(templateId, pass) {
      if (!isPass(pass)) return false;
      const [day = '', signature = ''] = pass.slice(1).split('.');
      // The signatures are compared as text. The last character has two unused bits, so different texts can decode to
      // the same bytes.
      const expected = Buffer.from(mac(templateId, day).toString('base64url'));
      const given = Buffer.from(signature);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      return Number.parseInt(day, 36) * daySeconds * 1000 > Date.now();
    },
  };
}
