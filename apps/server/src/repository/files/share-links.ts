import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * A share link contains its own proof: project, file, sharer and expiry, signed with a dedicated key. Nothing is
 * stored. A link stops working when it expires, when its file or project is deleted, or when the sharer loses the right
 * to share.
 */
export type ShareSigner = { sign(link: Shared): string; verify(token: string): Shared | null };
export type Shared = {
  projectId: string;
  fileId: string;
  sharedBy: string;
  /** The grant of the app that shared the file for its user. */
  grantId: string | null;
  expiresAt: Date;
};

export function shareSigner(secretKey: Buffer): ShareSigner {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega share links', 32));
  const mac = (payload: string): Buffer => createHmac('sha256', key).update(payload).digest();
  return {
    sign({ projectId, fileId, sharedBy, grantId, expiresAt }) {
      const expiry = Math.floor(expiresAt.getTime() / 1000);
      const payload = [projectId, fileId, sharedBy, grantId ?? '', expiry].join('.');
      return `${payload}.${mac(payload).toString('base64url')}`;
    },
    verify(token) {
      const end = token.lastIndexOf('.');
      const payload = token.slice(0, Math.max(0, end));
      const expected = mac(payload);
      const given = Buffer.from(token.slice(end + 1), 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const [projectId = '', fileId = '', sharedBy = '', grantId = '', expiry = ''] = payload.split('.');
      const expiresAt = new Date(Number(expiry) * 1000);
      return expiresAt.getTime() > Date.now()
        ? { projectId, fileId, sharedBy, grantId: grantId || null, expiresAt }
        : null;
    },
  };
}
