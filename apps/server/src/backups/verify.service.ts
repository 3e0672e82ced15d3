import {
  type Manifest,
  type Place,
  type Progress,
  type ProjectManifest,
  readBackup,
  readBackupFile,
} from './file/index.ts';

export type Verified<Kind = Manifest | ProjectManifest> = {
  manifest: Kind;
  tables: number;
  rows: number;
  bytes: number;
};

/** Reads a backup to its end, and checks every seal, checksum and count. */
export async function verifyBackup(
  place: Place,
  passphrase: string | null,
  progress: Progress = () => undefined,
): Promise<Verified> {
  let [tables, bytes] = [0, 0];
  const { manifest, end } = await readBackup(readBackupFile(place, passphrase), {
    begin: async () => undefined,
    async table({ name }, data) {
      for await (const piece of data) {
        bytes += piece.length;
        progress({ table: name, tables, rows: 0, bytes });
      }
      tables += 1;
      return null;
    },
    end: async () => undefined,
  });
  return { manifest, tables: end.tables, rows: end.rows, bytes };
}
