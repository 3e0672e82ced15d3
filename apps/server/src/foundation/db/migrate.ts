import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { shippedFolder } from '../shipped.ts';

export const migrationsFolder = shippedFolder('migrations', join(import.meta.dirname, 'migrations'));
export const oldestServer = 150_000;

/** The key of the advisory lock for migrations. Any constant works, as long as every node uses the same one. */
const migrationLock = 4_871_203_377;

/**
 * Longest time that a migration waits for a table lock, in seconds. Nodes of the old version are still running, and
 * their lock requests queue behind that of a waiting migration.
 */
const lockSeconds = 2;
const pauseMs = 1_000;
const maxTries = 60;

/** An error whose message is the one line that the operator sees. */
export class MigrationError extends Error {}

/**
 * Applies the missing migrations of this version, or those in `names`, and returns the names of those that were
 * applied. Migrations cannot be undone. Nodes that start at the same time take turns, with an advisory lock. Each
 * migration commits together with its row in the table of applied migrations. The migrations of `others`, which are
 * libraries with their own tables, use the same lock.
 */
export async function migrate(
  client: pg.ClientBase,
  others: () => Promise<void>,
  names: readonly string[] = migrationNames(),
): Promise<string[]> {
  await mustBeNewEnough(client);
  // A long migration, or a long wait for another node's migration, must not time out.
  await client.query('set statement_timeout = 0');
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    const applied = await applyPending(client, names);
    await others();
    return applied;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    await client.query('reset statement_timeout');
  }
}

export async function mustBeNewEnough(client: pg.ClientBase): Promise<void> {
  const { rows: version } = await client.query('select current_setting($1)::int as number', ['server_version_num']);
  if (version[0].number < oldestServer) throw new MigrationError('Bottega needs PostgreSQL 15 or newer.');
}

async function applyPending(client: pg.ClientBase, names: readonly string[]): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  const applied = new Set(rows.map((row) => row.name));
  const known = new Set(migrationNames());
  const unknown = rows.filter((row) => !known.has(row.name));
  if (unknown.length > 0) {
    throw new MigrationError(`The database is newer than this version of Bottega: it has ${unknown[0]?.name}.`);
  }
  const pending = names.filter((name) => !applied.has(name));
  for (const name of pending) await apply(client, name);
  return pending;
}

/**
 * Applies one migration. If the migration does not get a lock soon, it pauses and tries again, so that other
 * transactions can continue meanwhile.
 */
async function apply(client: pg.ClientBase, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = '${lockSeconds}s'`);
      await client.query(readFileSync(join(migrationsFolder, name), 'utf8'));
      await client.query('insert into migrations (name) values ($1)', [name]);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const isLocked = (error as { code?: unknown }).code === '55P03';
      if (!isLocked || tries === maxTries) {
        throw new MigrationError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    await delay(pauseMs);
  }
}

export function migrationNames(): string[] {
  return readdirSync(migrationsFolder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort();
}
