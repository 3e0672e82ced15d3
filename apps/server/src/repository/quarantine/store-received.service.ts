import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import type { GitProgram } from '../cache/index.ts';
import { mainRef } from '../objects/ref-names.ts';
import {
  type CheckedPush,
  type MostFiles,
  type Pushed,
  type Quota,
  type RefUpdate,
  storePush,
} from '../store/index.ts';
import { examineObjects } from './examine-objects.ts';
import { mustFitAtHead } from './head-size.ts';
import type { PushLimits } from './limits.ts';
import { surveyNewObjects } from './new-objects.ts';
import { whyNotCommand, whyNotTip } from './push-rules.ts';
import { examineTips } from './tips.ts';
import { withUnpackedObjects } from './unpacked-objects.ts';

/** The parts needed to store received objects, for a push or an import. */
export type Receiving = {
  db: Db;
  writeQueue: KeyedQueue;
  quota: Quota;
  maxFiles: MostFiles;
  git: GitProgram;
  limits: PushLimits;
  publicUrl: () => string;
  pushed: Pushed;
};

export type Pusher = {
  userId: string;
  projectId: string;
  cause: Cause;
  /** Aborts when the client has disconnected. After that, nothing more is stored. */
  signal?: AbortSignal;
  /** Throws if the credential has ended in the meantime. A push may take most of an hour to arrive. */
  stillHolds?: () => Promise<void>;
};

/**
 * Stores quarantined objects in the database, for a push or an import. Returns why references were not updated, by
 * name. Throws a `PushRefused` or an `AppError` if nothing can be stored.
 */
export function storeReceived(
  pushes: Receiving,
  pusher: Pusher,
  commands: readonly RefUpdate[],
  directory: string,
  { isAtomic = false } = {},
): Promise<Map<string, string>> {
  return takeReceived(pushes, commands, directory, {
    isAtomic,
    maxFiles: () => pushes.maxFiles(pushes.db, pusher.projectId),
    store: (checked) => lockAndStore(pushes, pusher, checked),
  });
}

type Taking = {
  isAtomic: boolean;
  maxFiles: () => Promise<number>;
  /** Returns why references were not updated, by name. */
  store(checked: CheckedPush): Promise<Map<string, string>>;
};

/** Like `storeReceived`, for callers with their own transaction. Runs all common checks, and then `store`. */
export async function takeReceived(
  { git, limits }: Pick<Receiving, 'git' | 'limits'>,
  commands: readonly RefUpdate[],
  directory: string,
  { isAtomic, maxFiles, store }: Taking,
): Promise<Map<string, string>> {
  const tips = await examineTips(git, directory, commands);
  const refused = new Map<string, string>();
  for (const command of commands) {
    const reason = whyNotCommand(command) ?? (command.to && whyNotTip(command, tips.get(command.name)));
    if (reason) refused.set(command.name, reason);
  }
  const accepted = commands.filter(({ name }) => !refused.has(name));
  if (isAtomic && refused.size > 0) {
    for (const { name } of accepted) refused.set(name, 'atomic push failed');
    return refused;
  }
  if (accepted.length === 0) return refused;
  const main = accepted.find(({ name }) => name === mainRef)?.to;
  if (main) await mustFitAtHead(git, directory, main, await maxFiles());
  const wanted = { directory, tips: accepted.flatMap(({ to }) => to ?? []) };
  const later = await withNewObjects({ git, limits }, wanted, (objects) =>
    store({ commands: accepted, tips, isAtomic, objects }),
  );
  return new Map([...refused, ...later]);
}

/** Reads and checks the objects that these commits need and the project does not have. Null if there are none. */
export async function withNewObjects<Result>(
  { git, limits }: Pick<Receiving, 'git' | 'limits'>,
  { directory, tips }: { directory: string; tips: Buffer[] },
  work: (objects: CheckedPush['objects']) => Promise<Result>,
): Promise<Result> {
  const survey = await surveyNewObjects(git, directory, { tips, limits });
  if (survey.size === 0) return work(null);
  return withUnpackedObjects(git, directory, [...survey.keys()], async (unpacked) => {
    const examined = await examineObjects(unpacked, survey);
    return work({ ...examined, batches: unpacked.batches });
  });
}

function lockAndStore(
  { db, writeQueue, quota, limits, publicUrl, pushed }: Receiving,
  { userId, projectId, cause, signal }: Pusher,
  checked: CheckedPush,
): Promise<Map<string, string>> {
  return writeQueue(projectId, () => {
    signal?.throwIfAborted();
    return transaction(db, async (trx) => {
      const project = await lockWritableProject(trx, projectId, userId);
      return storePush(trx, project, checked, { cause, publicUrl: publicUrl(), fileLimit: limits.file, quota, pushed });
    });
  });
}
