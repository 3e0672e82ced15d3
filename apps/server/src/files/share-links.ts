import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * A link that carries its own proof: project, file and expiry, signed by a key of their own. Nothing is stored; a link
 * stops working when it expires, or with its file or project.
 */
export type ShareSigner = { sign(link: Shared): string; verify(token: string): Shared | null };
export type Shared = { projectId: string; fileId: string; expiresAt: Date };

export function shareSigner(secretKey: Buffer): ShareSigner {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega share links', 32));
  const mac = (payload: string): Buffer => createHmac('sha256', key).update(payload).digest();
  return {
    sign({ projectId, fileId, expiresAt }) {
      const payload = `${projectId}.${fileId}.${Math.floor(expiresAt.getTime() / 1000)}`;
      return `${payload}.${mac(payload).toString('base64url')}`;
    },
    verify(token) {
      const [projectId = '', fileId = '', expiry = '', signature = ''] = token.split('.');
      const expected = mac(`${projectId}.${fileId}.${expiry}`);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const expiresAt = new Date(Number(expiry) * 1000);
      return expiresAt.getTime() > Date.now() ? { projectId, fileId, expiresAt } : null;
    },
  };
}
