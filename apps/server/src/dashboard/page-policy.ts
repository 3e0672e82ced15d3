import { randomBytes } from 'node:crypto';

/**
 * Scripts come from our own files and from nowhere else. Styles too: the few rules that the components write at run
 * time carry the nonce of the page that they were written for. (What scripts set on an element's `style` is no inline
 * style in the sense of the policy.) Pictures may come from elsewhere over HTTPS, since an avatar may. Frames show the
 * page of previews and deployed apps, both of origins of their own.
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

/** Every app's own host, from the address of one. */
export function appsSourceOf(appUrl: (name: string) => string): string {
  const { protocol, host } = new URL(appUrl('app'));
  return `${protocol}//*${host.slice(host.indexOf('.'))}`;
}
