import { randomBytes } from 'node:crypto';

/**
 * Scripts come from our own files and from nowhere else. Styles too: the few rules that the components write at run
 * time carry the nonce of the page that they were written for. (What scripts set on an element's `style` is no inline
 * style in the sense of the policy.) Pictures may come from elsewhere over HTTPS, since an avatar may.
 */
export function pageWithPolicy(page: string): { body: string; policy: string } {
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { body: page.replaceAll('__NONCE__', nonce), policy };
}
