import { type Manifest, type Place, type ProjectManifest, readBackup, readBackupFile } from './file/index.ts';

export type Verified<Kind = Manifest | ProjectManifest> = {
  manifest: Kind;
  tables: number;
  rows: number;
  bytes: number;
};

/** Reads a backup to its end: every seal, every checksum, every count. */
export async function verifyBackup(place: Place, passphrase: string | null): Promise<Verified> {
  let bytes = 0;
  const { manifest, end } = await readBackup(readBackupFile(place, passphrase), {
    begin: async () => undefined,
    async table(_table, data) {
      for await (const piece of data) bytes += piece.length;
      return null;
    },
    end: async () => undefined,
  });
  return { manifest, tables: end.tables, rows: end.rows, bytes };
}
