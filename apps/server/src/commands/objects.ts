import { parseArgs } from 'node:util';
import { movePieces } from '../deployments/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { type Db, openDb } from '../foundation/db/index.ts';
import { type Tell, withProgress } from './backup-progress.ts';
import { UsageError } from './command-error.ts';
import { openForCommand } from './open-database.ts';

/**
 * `bottega objects move`: moves everything to the place in BOTTEGA_OBJECTS. Works with or without a running service.
 */
export async function objects(config: Config, [action, ...args]: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
  if (action !== 'move') throw new UsageError('Usage: bottega objects move [--json]');
  const to = config.objects ?? 'the database';
  const { pieces, bytes } = await withProgress(`Moving artifacts to ${to}`, async (tell) => {
    const database = await openForCommand(config, 'objects move');
    return moveObjects(config, openDb(database.pool), tell).finally(() => database.close());
  });
  const words =
    pieces === 0
      ? `All artifacts are already in ${to}.`
      : `Moved ${amount(pieces, bytes)} to ${to}. No artifacts are left elsewhere.`;
  process.stdout.write(values.json ? `${JSON.stringify({ to: config.objects, pieces, bytes })}\n` : `${words}\n`);
}

export async function moveObjects(
  { objects: to, s3 }: Config,
  db: Db,
  tell: Tell,
): Promise<{ pieces: number; bytes: number }> {
  return movePieces(db, {
    objects: to,
    s3,
    progress: (moved, all) =>
      tell(`Moving: ${moved.pieces.toLocaleString('en')} of ${amount(Math.max(all.pieces, moved.pieces), all.bytes)}`),
  });
}

const amount = (pieces: number, bytes: number): string =>
  `${pieces.toLocaleString('en')} pieces (${(bytes / 1e6).toFixed(1)} MB)`;
