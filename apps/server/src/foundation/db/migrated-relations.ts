import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationNames, migrationsFolder } from './migrate.ts';

/** `create temporary table` does not match, because temporary tables do not outlive their session. */
const creation = /^\s*create\s+(?:table|sequence|view|materialized view|type)\s+(?:if not exists\s+)?(\w+)/gim;

/**
 * Names of the tables, sequences, views and types that these migrations create. The list includes names whose relation
 * a later migration replaces. It does not include partitions, because they belong to their table.
 */
export function relationsOf(migrations: readonly string[] = migrationNames()): string[] {
  const known = migrationNames().filter((name) => migrations.includes(name));
  const texts = known.map((name) => readFileSync(join(migrationsFolder, name), 'utf8'));
  const made = texts.flatMap((text) => [...text.matchAll(creation)].map(([, name = '']) => name));
  return [...new Set(['migrations', ...made])];
}
