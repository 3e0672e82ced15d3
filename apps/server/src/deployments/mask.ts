const shortestSecret = 6;
const cover = '***';

export type Mask = {
  (text: string): string;
  /** A piece of text may only be cut off where at least this much of what follows is known. */
  longest: number;
};

/**
 * Hides the values of a deployment's environment variables. Shorter values are words like `true` that would make a log
 * unreadable. The lines of a value with several are hidden one by one, because a log is kept line by line.
 */
export function createMask(values: readonly string[]): Mask {
  const parts = values.flatMap((value) => [value, ...value.split(/\r?\n/)].map((part) => part.trim()));
  // The longest first: one that holds another must not leave a rest.
  const secrets = [...new Set(parts.filter((part) => part.length >= shortestSecret && !part.includes('\n')))].sort(
    (one, other) => other.length - one.length,
  );
  const longest = secrets[0]?.length ?? 0;
  if (secrets.length === 0) return Object.assign((text: string) => text, { longest });
  const pattern = new RegExp(secrets.map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
  return Object.assign((text: string) => text.replace(pattern, cover), { longest });
}
