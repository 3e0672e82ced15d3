import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../config/index.ts';
import { keyPath, nextKeyPath } from './secret-key.ts';

/** A key that was written to a file next to the current one. `place` makes it the key of the data directory. */
export type BroughtKey = {
  /** Returns the path that the old key was moved to, or null if there was none. */
  place(): string | null;
  abandon(): void;
};

/**
 * Stores the key of a restored database. The current key of the data directory may belong to another database. So it is
 * replaced only if the caller allows it, and is then kept under a unique name.
 */
export function bringSecretKey(dataDir: string, key: Buffer, { mayReplace }: { mayReplace: boolean }): BroughtKey {
  const path = keyPath(dataDir);
  const draft = `${path}.restored-${process.pid}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  return {
    place() {
      if (existsSync(path) && mayReplace) {
        const former = linkAside(path);
        renameSync(draft, path);
        return former;
      }
      // `linkSync` fails if another process has put a key there meanwhile.
      linkSync(draft, path);
      rmSync(draft);
      return null;
    },
    abandon: () => rmSync(draft, { force: true }),
  };
}

/**
 * Throws if an unfinished rotation has left a new key. That key may be the only one that opens its database, and a
 * start would delete it.
 */
export function mustHaveNoNextKey(dataDir: string): void {
  const path = nextKeyPath(dataDir);
  if (!existsSync(path)) return;
  throw new ConfigError(
    `${path} belongs to an unfinished rotation of the secret key. Start Bottega on the database of that rotation to finish it, or move the file elsewhere.`,
  );
}

function linkAside(path: string): string {
  const time = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  for (let count = 1; ; count++) {
    const aside = `${path}.before-restore-${time}${count === 1 ? '' : `-${count}`}`;
    try {
      linkSync(path, aside);
      return aside;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
