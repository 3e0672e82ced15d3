import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { allScopes, auditActions, errorCodes, eventTypes } from '@bottega/contract';
import { keyOf, type Schema } from './schema-types.ts';

const contract = join(import.meta.dirname, '../../contract/src');

/** Names of word lists that have no schema. */
const wordLists: Record<string, readonly string[]> = {
  ErrorCode: Object.keys(errorCodes),
  Scope: allScopes,
  AuditAction: Object.keys(auditActions),
  EventType: eventTypes,
};

/** The contract's export names, by the content of the schema. */
export async function contractNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const files = readdirSync(contract).filter((file) => file.endsWith('.ts') && file !== 'index.ts');
  for (const file of files.sort()) {
    for (const [name, value] of Object.entries(await import(join(contract, file)))) {
      if (/^[A-Z]/.test(name) && isWorthName(value)) names.set(keyOf(value), name);
    }
  }
  for (const [name, words] of Object.entries(wordLists)) names.set(keyOf({ enum: [...words] }), name);
  return names;
}

const isWorthName = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && ('properties' in value || 'enum' in value);
