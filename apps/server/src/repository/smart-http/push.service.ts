import type { SlotLimits, Slots } from '../../foundation/concurrency/slots.ts';
import { AppError } from '../../foundation/http/index.ts';
import type { GitCaches } from '../cache/index.ts';
import {
  borrowFrom,
  type Pusher,
  PushRefused,
  type Receiving,
  receivePack,
  refusalOf,
  spoolPack,
  storeReceived,
  withQuarantine,
} from '../quarantine/index.ts';
import type { RefUpdate, StorageLeft } from '../store/index.ts';
import { type Store, storeForChecks } from './check-commits.ts';
import { type Proposals, propose } from './propose.ts';
import type { PushResult } from './push-report.ts';
import type { PushRequest } from './push-request.ts';

export type Pushes = Receiving & {
  caches: GitCaches;
  /** Every request that starts git uses one slot. */
  slots: Slots;
  quarantineRoot: string;
  storageLeft: StorageLeft;
  combine?: Combine;
  /** Handles pushes to `refs/for/`. */
  proposals: () => Proposals;
};

/** May change the updates before they are stored, for pushes that do not have to begin at the tip of a branch. */
export type Combine = (directory: string, commands: readonly RefUpdate[], store: Store) => Promise<Map<string, string>>;

/**
 * Maximum number of packs that are received at a time, because each is on disk from its first byte until it is stored
 * or refused.
 */
export const fewReceived: SlotLimits = { total: 16, perAccount: 4, maxWaiting: 4 };

/**
 * Handles one push. The pack goes into quarantine and is checked when its account has a free slot. Then new objects,
 * the references and the files at the head are stored in one transaction. If any step fails, nothing changes.
 * `onReceived` is called when the client has sent everything and is waiting for the result.
 */
export function push(
  pushes: Pushes & { receiving: Slots },
  pusher: Pusher,
  request: PushRequest,
  onReceived: () => void,
): Promise<PushResult> {
  const { db, receiving, slots, quarantineRoot, limits, storageLeft } = pushes;
  const { userId, projectId, signal } = pusher;
  const receive = async (directory: string): Promise<PushResult> => {
    try {
      if (hasPack(request)) await spoolPack(directory, request.pack, limits, await storageLeft(db, projectId));
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

function packRefused(commands: readonly RefUpdate[], { message, lines }: PushRefused): PushResult {
  return { ...refusedAsAWhole(commands, message, lines), unpackError: message };
}

async function settle(pushes: Pushes, pusher: Pusher, request: PushRequest, directory: string): Promise<PushResult> {
  const { commands, capabilities } = request;
  try {
    await pusher.stillHolds?.();
    const isAtomic = capabilities.has('atomic');
    const store: Store = (all) => storeReceived(pushes, pusher, all, directory, { isAtomic });
    const combined: Store = (all) => pushes.combine?.(directory, all, store) ?? store(all);
    const place = { directory, store: storeForChecks(pushes.db, pusher, combined) };
    const { refused, messages } = await propose(pushes, pusher, request, place);
    const refs = commands.map(({ name }) => ({ name, refusal: refused.get(name) ?? null }));
    return { unpackError: null, refs, messages };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusedAsAWhole(commands, refusal.message, refusal.lines);
    if (error instanceof AppError && error.status < 500) return refusedAsAWhole(commands, error.message);
    throw error;
  }
}

function refusedAsAWhole(commands: readonly RefUpdate[], reason: string, lines: string[] = []): PushResult {
  return { unpackError: null, refs: commands.map(({ name }) => ({ name, refusal: reason })), messages: lines };
}
