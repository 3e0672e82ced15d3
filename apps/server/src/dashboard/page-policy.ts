import { randomBytes } from 'node:crypto';

/**
 * Returns the page with its Content-Security-Policy. Scripts come only from our own files. So do styles, except for the
 * few rules that components add at run time, which have the nonce of their page. (For the policy, properties that
 * scripts set on an element's `style` are not inline styles.) Pictures may come from other sites over HTTPS, because an
 * avatar may. Frames show the preview page and deployed apps, both on separate origins.
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

/** A policy source for the hosts of all apps, derived from the URL of one app. */
export function appsSourceOf(appUrl: (name: string) => string): string {
  const { protocol, host } = new URL(appUrl('app'));
  return `${protocol}//*${host.slice(host.indexOf('.'))}`;
}
