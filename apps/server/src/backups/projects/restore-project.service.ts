import { join } from 'node:path';
import { CreateProject, type Plan } from '@bottega/contract';
import { Value } from 'typebox/value';
import type { Config } from '../../foundation/config/index.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { createEmptyProject, lockWritableProject } from '../../projects/index.ts';
import { createBareRepository, type GitProgram } from '../../repository/cache/index.ts';
import {
  PushRefused,
  receivePack,
  refusalOf,
  spoolPack,
  takeReceived,
  withQuarantine,
} from '../../repository/quarantine/index.ts';
import { type CheckedPush, maxFilesOf, planQuota, type RefUpdate, storePush } from '../../repository/store/index.ts';
import {
  BackupError,
  isOfProject,
  type Place,
  type ProjectManifest,
  readBackup,
  readBackupFile,
} from '../file/index.ts';
import { packTable } from './dump-project.service.ts';

type Owner = { userId: string; plan: Plan };
type Needs = { db: Db; git: GitProgram; config: Pick<Config, 'plans' | 'pushLimits' | 'publicUrl' | 'port'> };
type Source = { place: Place; passphrase: string | null };
type Restored = { id: string; name: string; refs: number; made_at: string };

/**
 * Makes a new project from a backup, which may come from a stranger. Its pack stays in quarantine until the file was
 * read to its end, and goes through the same checks as a push. Project, objects, references and files are one
 * transaction.
 */
export async function restoreProject(needs: Needs, owner: Owner, source: Source): Promise<Restored> {
  try {
    // The directory differs from the one that a running service uses for pushes. If both ran in different containers,
    // neither process could see that the other is alive.
    return await withQuarantine(join(needs.git.home, 'restore'), async (directory) => {
      await createBareRepository(directory);
      const manifest = await receive(needs, source, directory);
      return takeIn(needs, owner, manifest, directory);
    });
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal
      ? new BackupError(inOneLine([`The project was rejected: ${refusal.message}`, ...refusal.lines]))
      : error;
  }
}

/**
 * Joins sentences for the terminal. They contain names that a stranger chose, so only printable characters are kept.
 */
const inOneLine = (sentences: string[]): string =>
  sentences
    .join('. ')
    .replaceAll(/\p{C}+/gu, ' ')
    .slice(0, 1_000);

async function receive({ git, config }: Needs, source: Source, directory: string): Promise<ProjectManifest> {
  let packs = 0;
  const { manifest, end } = await readBackup(readBackupFile(source.place, source.passphrase), {
    async begin(found) {
      if (!isOfProject(found))
        throw new BackupError('This backup contains the whole installation. Restore it without --project.');
    },
    async table({ name }, data) {
      if (name !== packTable.name || packs++ > 0)
        throw new BackupError(`The backup has an unknown part ${JSON.stringify(name)}.`);
      await spoolPack(directory, data, config.pushLimits);
      return null;
    },
    end: async () => undefined,
  });
  if (end.rows > 0) await receivePack(git, directory, config.pushLimits);
  if (!isOfProject(manifest)) throw new Error('the type of the backup changed');
  return manifest;
}

async function takeIn(needs: Needs, owner: Owner, manifest: ProjectManifest, directory: string): Promise<Restored> {
  const { git, config } = needs;
  const input = inputOf(manifest);
  const commands = commandsOf(manifest);
  let id = commands.length === 0 ? await storeAsNew(needs, owner, input, null) : '';
  const refused = await takeReceived({ git, limits: config.pushLimits }, commands, directory, {
    isAtomic: true,
    maxFiles: async () => maxFilesOf(config.plans[owner.plan]),
    async store(checked) {
      id = await storeAsNew(needs, owner, input, checked);
      return new Map();
    },
  });
  mustBeWhole(refused);
  return { id, name: input.name, refs: commands.length, made_at: manifest.made_at };
}

/**
 * Returns the references as commands of a push. As in a push, each name must occur only once, because results are
 * stored by the name of the reference.
 */
function commandsOf({ project: { refs } }: ProjectManifest): RefUpdate[] {
  if (new Set(refs.map(({ name }) => name)).size < refs.length) {
    throw new BackupError('The backup lists a reference twice.');
  }
  return refs.map(({ name, sha }) => ({ name, from: null, to: Buffer.from(sha, 'hex') }));
}

/** Stores the new project in one transaction. `checked` is null if the project is empty. */
function storeAsNew(
  { db, config }: Needs,
  owner: Owner,
  input: CreateProject,
  checked: CheckedPush | null,
): Promise<string> {
  const cause = causeOfRun(owner.userId);
  const context = {
    cause,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    fileLimit: config.pushLimits.file,
    quota: planQuota(config.plans),
    pushed: async () => undefined,
  };
  return transaction(db, async (trx) => {
    const { id } = await createEmptyProject(trx, owner, input, { limits: config.plans[owner.plan], cause });
    if (checked) {
      const project = await lockWritableProject(trx, id, owner.userId);
      mustBeWhole(await storePush(trx, project, checked, context));
    }
    return id;
  });
}

function mustBeWhole(refused: ReadonlyMap<string, string>): void {
  const [first] = [...refused].filter(([, reason]) => reason !== 'atomic push failed');
  if (first) throw new PushRefused(`${first[0]}: ${first[1]}`);
}

/**
 * The input for the new project. It does not contain whether the project is public and whether builds run
 * automatically, because the new owner decides this.
 */
function inputOf({ project: { name, description, settings } }: ProjectManifest): CreateProject {
  const { collaboration_enabled, auto_save, version_control } = settings;
  const input = {
    ...{ name: name.trim(), description },
    settings: {
      collaboration_enabled,
      auto_save,
      version_control,
      public: false,
      auto_deploy: false,
      auto_preview: false,
    },
  };
  if (Value.Check(CreateProject, input)) return input;
  throw new BackupError('The name or the description in the backup is not valid for a project.');
}
