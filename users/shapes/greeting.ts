import type { Running } from './shape.ts';

/** The output of the first start: the URL and the administrator. Null until it is complete. */
export function readGreeting(said: string): Pick<Running, 'url' | 'admin'> | null {
  const [url, email, password, key] = [
    /Bottega is running at (\S+)/,
    /^ {2}e-mail +(\S+)/m,
    /^ {2}password +(\S+)/m,
    // The line has to be complete: output arrives in pieces.
    /^ {2}API key +(\S+)\n/m,
  ].map((line) => line.exec(said)?.[1]);
  return url && email && password && key ? { url, admin: { email, password, key } } : null;
}
