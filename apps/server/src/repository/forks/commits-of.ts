import type { Slots } from '../../foundation/concurrency/slots.ts';
import { AppError } from '../../foundation/http/index.ts';
import type { GitCaches } from '../cache/index.ts';
import { borrowFrom, type Receiving, refusalOf, withNewObjects, withQuarantine } from '../quarantine/index.ts';
import type { CheckedPush } from '../store/index.ts';

export type Bringing = Pick<Receiving, 'git' | 'limits'> & { caches: GitCaches; slots: Slots; quarantineRoot: string };

type Brought = {
  userId: string;
  /** The project that has the commit. */
  from: string;
  /** The project that will get it. */
  to: string;
  tip: Buffer;
  /** Maximum size of the new objects together, unpacked. */
  most: number;
};

/**
 * Finds the objects of a commit that project `from` has and project `to` lacks, and passes them to `work`, which stores
 * them. No pack is made, because git reads the objects where they are.
 */
export const withCommitsOf =
  ({ git, limits, caches, slots, quarantineRoot }: Bringing) =>
  <Result>(
    { userId, from, to, tip, most }: Brought,
    work: (objects: CheckedPush['objects']) => Promise<Result>,
  ): Promise<Result> => {
    const bounded = { git, limits: { ...limits, unpacked: Math.min(limits.unpacked, most) } };
    const find = (directory: string) =>
      caches.withCache(to, (own) =>
        caches.withCache(from, async (other) => {
          await borrowFrom(own, directory, [other]);
          return withNewObjects(bounded, { directory, tips: [tip] }, work);
        }),
      );
    return slots.run(userId, () => withQuarantine(quarantineRoot, find)).catch(inOwnWords);
  };

/** Turns the refusal of a push into an ordinary error, because the caller did not push. */
export function inOwnWords(error: unknown): never {
  const refusal = refusalOf(error);
  if (refusal) throw new AppError('VALIDATION_ERROR', `The commits cannot be copied: ${refusal.message}`);
  throw error;
}
