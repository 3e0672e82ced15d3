import type { Running } from './shape.ts';

/** What the first start prints: the address and the administrator. Null until all of it is there. */
export function readGreeting(said: string): Pick<Running, 'url' | 'admin'> | null {
  const [url, email, password, key] = [
    /Bottega is running at (\S+)/,
    /^ {2}e-mail +(\S+)/m,
    /^ {2}password +(\S+)/m,
    // The line has to be whole: output arrives in pieces.
    /^ {2}API key +(\S+)\n/m,
  ].map((line) => line.exec(said)?.[1]);
  return url && email && password && key ? { url, admin: { email, password, key } } : null;
}
