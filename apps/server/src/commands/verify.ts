import { parseArgs } from 'node:util';
import { isOfProject, readPassphrase, verifyBackup } from '../backups/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { placeOf } from '../foundation/objects/index.ts';
import { inMegabytes } from './backup.ts';
import { UsageError } from './command-error.ts';

/** `bottega verify FILE`: reads a backup to its end. Needs no database. */
export async function verify({ s3 }: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'passphrase-file': { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new UsageError('Specify the FILE to verify.');
  const { manifest, tables, rows, bytes } = await verifyBackup(
    placeOf(path, s3),
    readPassphrase(values['passphrase-file'] ?? null),
  );
  const { version, made_at } = manifest;
  const about = isOfProject(manifest)
    ? { project: manifest.project.id, refs: manifest.project.refs.length, objects: rows }
    : { tables, rows, with_secret_key: manifest.secret_key !== undefined };
  const content = isOfProject(manifest)
    ? `${rows.toLocaleString('en')} git objects from ${manifest.project.id}`
    : `${rows.toLocaleString('en')} rows from ${tables} tables`;
  const words = `The backup is complete: ${content}, ${inMegabytes(bytes)} unpacked, created ${made_at} by Bottega ${version}.\n`;
  process.stdout.write(values.json ? `${JSON.stringify({ version, made_at, ...about, bytes })}\n` : words);
}
