import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { sealedKeys } from '../certificates/index.ts';
import { sealedCheckVariables } from '../checks/index.ts';
import { sealedInvites } from '../collaboration/sessions/index.ts';
import { sealedProjectVariables, sealedVariables } from '../deployments/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { type Keys, resealColumn, resealer, type SealedColumn } from '../foundation/crypto/reseal.ts';
import { loadSecretKey, settleNextKey, writeNextKey } from '../foundation/crypto/secret-key.ts';
import { mustBeTheSecretKey, noteSecretKey } from '../foundation/crypto/secret-key-check.ts';
import { countListeningNodes, liftStatementTimeout } from '../foundation/db/database.sql.ts';
import { type Db, openDb, transaction } from '../foundation/db/index.ts';
import { sealedAnswers } from '../foundation/http/request/idempotency.sql.ts';
import { resealWaitingMails } from '../foundation/mail/index.ts';
import { sealedSecondFactors } from '../identity/accounts/index.ts';
import { sealedServiceKeys } from '../identity/auth/index.ts';
import { sealedWebhookColumns } from '../webhooks/index.ts';
import { UsageError } from './command-error.ts';
import { migrateDatabase, openForCommand } from './open-database.ts';

/** All sealed columns. A slice that seals a column must list it here, or a rotation would leave it unreadable. */
const sealedColumns: SealedColumn[] = [
  sealedServiceKeys,
  sealedSecondFactors,
  sealedAnswers,
  ...sealedWebhookColumns,
  sealedVariables,
  sealedProjectVariables,
  sealedCheckVariables,
  sealedInvites,
  ...sealedKeys,
];

/**
 * `bottega admin secret rotate`: one transaction opens everything with the old key and seals it with a new one. The new
 * key is on disk before the commit, and replaces the old one after the commit. So whenever the command dies, the right
 * key exists, and the next start finds out which of the two it is.
 */
export async function rotateSecret(config: Config, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
  const database = await openForCommand(config, 'admin secret rotate');
  try {
    await migrateDatabase(database);
    const db = openDb(database.pool);
    const from = await settleNextKey(db, loadSecretKey(config.secretKey, config.dataDir), config);
    await mustBeTheSecretKey(db, from);
    await mustBeAlone(db);
    const to = randomBytes(32);
    if (!config.secretKey) writeNextKey(config.dataDir, to);
    const resealed = await transaction(db, async (trx) => {
      await liftStatementTimeout(trx);
      let count = await resealWaitingMails(trx, resealer({ from, to }, 'mail'));
      for (const column of sealedColumns) count += await resealColumn(trx, column, { from, to } satisfies Keys);
      await noteSecretKey(trx, to);
      return count;
    });
    await settleNextKey(db, from, config);
    // An operator who stores the key in a setting has to replace it. The new key is printed only here.
    const result = { resealed, ...(config.secretKey && { secret_key: to.toString('base64') }) };
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : inWords(result));
  } finally {
    await database.close();
  }
}

/** Throws if a node is running. With the old key, it would seal values that nobody could open. */
async function mustBeAlone(db: Db): Promise<void> {
  const nodes = await countListeningNodes(db);
  if (nodes > 0) throw new UsageError(`Stop all nodes first. Nodes that still use the current key: ${nodes}`);
}

function inWords({ resealed, secret_key }: { resealed: number; secret_key?: string }): string {
  const place = secret_key ? `Set BOTTEGA_SECRET_KEY=${secret_key} on all nodes.` : 'The new key is in place.';
  return `Encrypted ${resealed} secrets with the new key. ${place} Earlier share links are no longer valid.\n`;
}
