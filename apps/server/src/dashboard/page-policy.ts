import { randomBytes } from 'node:crypto';

/**
 * Scripts come only from our own files. Styles do too: the few rules that components write at run time carry the nonce
 * of their page. (Properties that scripts set on an element's `style` are no inline styles to the policy.) Pictures may
 * come from elsewhere over HTTPS, since an avatar may. Frames show the preview page and deployed apps, both on origins
 * of their own.
 */
export function pageWithPolicy(page: string, appsSource: string): { body: string; policy: string } {
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src 'self' ${appsSource}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { body: page.replaceAll('__NONCE__', nonce), policy };
}

/** A source for the hosts of all apps, derived from the URL of one. */
export function appsSourceOf(appUrl: (name: string) => string): string {
  const { protocol, host } = new URL(appUrl('app'));
  return `${protocol}//*${host.slice(host.indexOf('.'))}`;
}
