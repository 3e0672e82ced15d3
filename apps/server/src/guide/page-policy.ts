import { createHash } from 'node:crypto';

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * The Content-Security-Policy of a page. It allows only the scripts with which the page was built, WebAssembly for the
 * search, and inline styles for the colours of code.
 */
export function policyOf(page: string): string {
  const hashes = new Set([...page.matchAll(inlineScript)].map(([, script = '']) => hashOf(script)));
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${[...hashes].join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
