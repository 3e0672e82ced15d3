import type { SlotLimits, Slots } from '../../foundation/concurrency/slots.ts';
import type { Db } from '../../foundation/db/pool.ts';
import { transaction } from '../../foundation/db/transaction.ts';
import { AppError } from '../../foundation/http/app-error.ts';
import type { Cause } from '../../foundation/http/cause.ts';
import { lockWritableProject } from '../../projects/index.ts';
import type { MostFiles, OneAtATime, Quota } from '../files/index.ts';
import type { GitCaches } from './cache.ts';
import { examineObjects } from './examine-objects.ts';
import type { GitProgram } from './git-process.ts';
import { mustFitAtHead } from './head-size.ts';
import type { PushLimits } from './limits.ts';
import { surveyNewObjects } from './new-objects.ts';
import { PushRefused, refusalOf } from './push-refused.ts';
import type { PushResult } from './push-report.ts';
import type { Command, PushRequest } from './push-request.ts';
import { mainRef, whyNotCommand, whyNotTip } from './push-rules.ts';
import { borrowFrom, receivePack, spoolPack, withQuarantine } from './quarantine.ts';
import { type CheckedPush, type Pushed, storePush } from './store-push.service.ts';
import { examineTips } from './tips.ts';
import { withUnpackedObjects } from './unpacked-objects.ts';

export type Pushes = {
  db: Db;
  turns: OneAtATime;
  quota: Quota;
  mostFiles: MostFiles;
  git: GitProgram;
  caches: GitCaches;
  slots: Slots;
  quarantineRoot: string;
  limits: PushLimits;
  publicUrl: () => string;
  pushed: Pushed;
};

/** Packs lie on the disk from their first byte until they are stored or refused, so there are few of them at a time. */
export const fewReceived: SlotLimits = { total: 16, perAccount: 4, mostWaiting: 4 };

export type Pusher = {
  userId: string;
  projectId: string;
  cause: Cause;
  /** Aborted when the client has gone. What was not stored by then need not be. */
  signal?: AbortSignal;
  /** Throws where the credential has ended meanwhile: a push may take the better part of an hour to arrive. */
  stillHolds?: () => Promise<void>;
};

/**
 * One push: the pack goes into quarantine, is checked in the turn of its account, and what is new in it is stored with
 * the references and the files at the head in one transaction. Whatever fails on the way, nothing has happened.
 * `onReceived` is called when the client has sent everything and only waits.
 */
export function push(
  pushes: Pushes & { receiving: Slots },
  pusher: Pusher,
  request: PushRequest,
  onReceived: () => void,
): Promise<PushResult> {
  const { receiving, slots, quarantineRoot, limits } = pushes;
  const { userId, signal } = pusher;
  const receive = async (directory: string): Promise<PushResult> => {
    try {
      if (hasPack(request)) await spoolPack(directory, request.pack, limits);
    } catch (error) {
      if (!(error instanceof PushRefused)) throw error;
      await request.drain(8 * limits.pack);
      onReceived();
      return packRefused(request.commands, error);
    }
    onReceived();
    return slots.run(userId, () => takeIn(pushes, pusher, request, directory), signal);
  };
  return receiving.run(userId, () => withQuarantine(quarantineRoot, receive), signal);
}

const hasPack = ({ commands }: PushRequest): boolean => commands.some(({ to }) => to);

function takeIn(all: Pushes, pusher: Pusher, request: PushRequest, directory: string): Promise<PushResult> {
  const pushes = { ...all, git: { ...all.git, signal: pusher.signal } };
  return pushes.caches.withCache(pusher.projectId, async (cache) => {
    await borrowFrom(cache, directory);
    try {
      if (hasPack(request)) await receivePack(pushes.git, directory, pushes.limits);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) return packRefused(request.commands, refusal);
      throw error;
    }
    return settle(pushes, pusher, request, directory);
  });
}

function packRefused(commands: readonly Command[], { message, lines }: PushRefused): PushResult {
  return { ...refusedAsAWhole(commands, message, lines), unpackError: message };
}

async function settle(
  pushes: Pushes,
  pusher: Pusher,
  { commands, capabilities }: PushRequest,
  directory: string,
): Promise<PushResult> {
  try {
    await pusher.stillHolds?.();
    const isAtomic = capabilities.has('atomic');
    const refused = await storeReceived(pushes, pusher, commands, directory, { isAtomic });
    const refs = commands.map(({ name }) => ({ name, refusal: refused.get(name) ?? null }));
    return { unpackError: null, refs, messages: [] };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusedAsAWhole(commands, refusal.message, refusal.lines);
    if (error instanceof AppError && error.status < 500) return refusedAsAWhole(commands, error.message);
    throw error;
  }
}

/**
 * From quarantine into the database, for a push as for an import. Returns why a reference was left as it is, by name;
 * throws a `PushRefused` or an `AppError` where nothing of it can be stored.
 */
export async function storeReceived(
  pushes: Pushes,
  pusher: Pusher,
  commands: readonly Command[],
  directory: string,
  { isAtomic = false } = {},
): Promise<Map<string, string>> {
  const tips = await examineTips(pushes.git, directory, commands);
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
  const later = await checkAndStore(pushes, pusher, { commands: accepted, tips, isAtomic }, directory);
  return new Map([...refused, ...later]);
}

async function checkAndStore(
  pushes: Pushes,
  pusher: Pusher,
  checked: Omit<CheckedPush, 'objects'>,
  directory: string,
): Promise<Map<string, string>> {
  const { git, limits } = pushes;
  const tips = checked.commands.flatMap(({ to }) => to ?? []);
  const main = checked.commands.find(({ name }) => name === mainRef)?.to;
  if (main) await mustFitAtHead(git, directory, main, await pushes.mostFiles(pushes.db, pusher.projectId));
  const survey = await surveyNewObjects(git, directory, { tips, limits });
  if (survey.size === 0) return storeInTurn(pushes, pusher, { ...checked, objects: null });
  return withUnpackedObjects(git, directory, [...survey.keys()], async (unpacked) => {
    const examined = await examineObjects(unpacked, survey);
    return storeInTurn(pushes, pusher, { ...checked, objects: { ...examined, unpacked } });
  });
}

function storeInTurn(
  { db, turns, quota, limits, publicUrl, pushed }: Pushes,
  { userId, projectId, cause, signal }: Pusher,
  checked: CheckedPush,
): Promise<Map<string, string>> {
  return turns(projectId, () => {
    signal?.throwIfAborted();
    return transaction(db, async (trx) => {
      const project = await lockWritableProject(trx, projectId, userId);
      return storePush(trx, project, checked, { cause, publicUrl: publicUrl(), fileLimit: limits.file, quota, pushed });
    });
  });
}

function refusedAsAWhole(commands: readonly Command[], reason: string, lines: string[] = []): PushResult {
  return { unpackError: null, refs: commands.map(({ name }) => ({ name, refusal: reason })), messages: lines };
}
