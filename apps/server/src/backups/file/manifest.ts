import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { BackupError } from './backup-error.ts';

/** Fields at the start of every backup. The file may come from a stranger, so the schema is strict. */
const common = {
  what: Type.Literal('manifest'),
  /** The version of Bottega. */
  version: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,50}$' }),
  made_at: Type.String({ pattern: '^[0-9TZ:.-]{1,50}$' }),
};

const Manifest = Type.Object({
  ...common,
  /** All migrations of the database. A restore first applies exactly these. */
  migrations: Type.Array(Type.String()),
  postgres: Type.Integer(),
  /** Identifies the secret key that decrypts the sealed values. Null if nothing was ever sealed. */
  secret_key_check: Type.Union([Type.String(), Type.Null()]),
  /** The key itself, only if it was requested and the backup is encrypted. */
  secret_key: Type.Optional(Type.String()),
});
export type Manifest = Static<typeof Manifest>;

const ProjectManifest = Type.Object({
  ...common,
  project: Type.Object({
    id: Type.String({ pattern: '^prj_[0-9a-z]{1,50}$' }),
    name: Type.String(),
    description: Type.String(),
    settings: Type.Object({
      collaboration_enabled: Type.Boolean(),
      auto_save: Type.Boolean(),
      version_control: Type.Boolean(),
    }),
    refs: Type.Array(Type.Object({ name: Type.String(), sha: Type.String({ pattern: '^[0-9a-f]{40}$' }) })),
  }),
});
/** The manifest of a project's backup: its references and settings. Its one table is a git pack. */
export type ProjectManifest = Static<typeof ProjectManifest>;

const count = Type.Integer({ minimum: 0 });

/**
 * The schemas of all other metadata. Names may be printed on a terminal, so only some characters are allowed in them.
 */
const metadataSchemas = {
  table: Type.Object({
    what: Type.Literal('table'),
    name: Type.String({ pattern: '^[\\w ]{1,63}$' }),
    columns: Type.Array(Type.String()),
  }),
  'table end': Type.Object({ what: Type.Literal('table end'), rows: count, bytes: count, sha256: Type.String() }),
  /** `sequences` are read after the last table, so they are never below a number in it. */
  end: Type.Object({
    what: Type.Literal('end'),
    tables: count,
    rows: count,
    sequences: Type.Record(Type.String(), Type.Integer()),
  }),
};
type Metadata = { [What in keyof typeof metadataSchemas]: Static<(typeof metadataSchemas)[What]> };
export type TableStart = Metadata['table'];
export type TableEnd = Metadata['table end'];
export type BackupEnd = Metadata['end'];

export function expectMetadata<What extends keyof Metadata>(metadata: unknown, what: What): Metadata[What] {
  if (!Value.Check(metadataSchemas[what] as TSchema, metadata)) throw outOfOrder();
  return metadata as Metadata[What];
}

export function expectManifest(metadata: unknown): Manifest | ProjectManifest {
  const manifest = metadata as Manifest | ProjectManifest | null;
  if (typeof manifest !== 'object' || manifest === null) throw outOfOrder();
  if (!Value.Check(isOfProject(manifest) ? ProjectManifest : Manifest, manifest)) throw outOfOrder();
  return manifest;
}

export const isOfProject = (manifest: Manifest | ProjectManifest): manifest is ProjectManifest => 'project' in manifest;

const outOfOrder = () => new BackupError('The backup is damaged: its parts are out of order.');
