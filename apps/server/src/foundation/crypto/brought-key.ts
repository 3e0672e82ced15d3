import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../config/index.ts';
import { keyPath, nextKeyPath } from './secret-key.ts';

/** A key that is written next to the current one. `place` makes it the key of the data directory. */
export type BroughtKey = {
  /** Returns the path that the old key was moved to, or null if there was none. */
  place(): string | null;
  abandon(): void;
};

/**
 * Stores the key of a database that was sealed elsewhere. The current key may belong to another database. So it is kept
 * under a unique name, and is replaced only if the caller allows it.
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
      // The link fails if another process has put a key there meanwhile.
      linkSync(draft, path);
      rmSync(draft);
      return null;
    },
    abandon: () => rmSync(draft, { force: true }),
  };
}

/**
 * Throws if there is a new key of an unfinished rotation. It may be the only key that opens its database, and a start
 * would delete it.
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
