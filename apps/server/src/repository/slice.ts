import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { keyedQueue } from '../foundation/concurrency/keyed-queue.ts';
import { onceNot } from '../foundation/concurrency/once-not.ts';
import { createSlots } from '../foundation/concurrency/slots.ts';
import type { Db } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import { type App, heavyReads, principalOf } from '../foundation/http/index.ts';
import { oneOfFewLargeBodies } from '../foundation/http/turns/large-bodies.ts';
import { isLoopback } from '../foundation/http/watching/health.ts';
import { addressRule, loopback } from '../foundation/outgoing/address-rule.ts';
import type { Slice } from '../foundation/slice.ts';
import { readableProject } from '../projects/index.ts';
import { archiveRoutes } from './archives/index.ts';
import { canMerge, createGitCaches, createGitProgram, gitDescriber, openGitHome } from './cache/index.ts';
import {
  contentReader,
  type DiskReads,
  type DownloadInterest,
  deleteBranch,
  fileRoutes,
  historyRoutes,
  noteDownloads,
  searchRoutes,
  sharedFileRoutes,
  shareSigner,
} from './files/index.ts';
import { forkRoutes, withCommitsOf } from './forks/index.ts';
import { importRepository, importRoutes } from './imports/index.ts';
import {
  findMergeBase,
  type MergeAsked,
  mergeBranches,
  mergingRoutes,
  type Preparing,
  prepareMerge,
} from './merging/index.ts';
import { createPacking } from './packing/index.ts';
import { createGitStreams, gitRoutes, type Pushes } from './smart-http/index.ts';
import { groupPuts, planFiles, planQuota, planStorage } from './store/index.ts';

type Needs = {
  /** Called in the transaction in which branches move or are deleted, for effects in other slices. */
  pushed: Pushes['pushed'];
  downloadInterest: DownloadInterest;
  /** Handles pushes that propose commits. */
  proposals: Pushes['proposals'];
  /** The files of running workspaces. */
  disks(): DiskReads;
  /**
   * Whether a process of an earlier release is running. Such a process cannot read everything that this release writes.
   */
  hasOlderNodes(): Promise<boolean>;
  /** Throws once the caller of a long request has lost the right to make it. */
  stillHolds(request: FastifyRequest): Promise<void>;
};

/**
 * The replica for a read, unless the caller has just written. The right to read is always checked on the primary, so a
 * revoked right ends immediately.
 */
const replicaFor =
  ({ db, replica }: Ground) =>
  async (request: FastifyRequest): Promise<Db | null> => {
    const { project_id: projectId } = request.params as { project_id?: string };
    const { userId } = principalOf(request);
    const reads = projectId !== undefined && !replica?.hasWritten(userId) ? replica?.reads() : null;
    if (reads && projectId !== undefined) await readableProject(db, projectId, userId);
    return reads ?? null;
  };

/** What every write of files needs. */
const writingOf = ({ plans }: Ground['config'], { hasOlderNodes }: Pick<Needs, 'hasOlderNodes'>) => ({
  writeQueue: keyedQueue({ patienceMs: 15_000 }),
  quota: planQuota(plans),
  deltas: onceNot(hasOlderNodes),
});

/** A project's files under git: by REST, by git over HTTP, by import and as archives. */
export async function createRepository(ground: Ground, { downloadInterest, disks, stillHolds, ...needs }: Needs) {
  const { config, db, once, publicUrl } = ground;
  const warn = ground.warn('repository');
  const writing = writingOf(config, needs);
  const { executablePath, gitMemory: memoryBytes } = config;
  const git = createGitProgram({ executablePath, home: join(config.dataDir, 'cache'), memoryBytes });
  const describeGit = gitDescriber(git);
  await openGitHome(git.home);
  const slots = createSlots(config.gitSlots);
  const caches = createGitCaches({
    db,
    git,
    root: join(git.home, 'git'),
    maxBytes: config.gitCacheLimit,
    onError: (error) => warn(error, 'failed to maintain a repository cache'),
  });
  const packing = createPacking({ db, git, caches, hasOlderNodes: needs.hasOlderNodes });
  const pushes = {
    db,
    ...writing,
    maxFiles: planFiles(config.plans),
    storageLeft: planStorage(config.plans),
    git,
    caches,
    slots,
    quarantineRoot: join(git.home, 'push'),
    limits: config.pushLimits,
    publicUrl,
    pushed: needs.pushed,
    proposals: needs.proposals,
  };
  const mergeable = async () => canMerge((await describeGit()).version);
  // Merges take seconds. A client that has waited this long should retry.
  const merging = { ...pushes, turns: keyedQueue({ patienceMs: 60_000 }), canMerge: mergeable };
  const files = { db, ...writing, publicUrl };
  const largeBodies = oneOfFewLargeBodies(createSlots({ total: 6, perAccount: 2, maxWaiting: 100 }));
  const heavy = heavyReads({ databasePool: config.databasePool, db, replicaFor: replicaFor(ground) });
  const readContent = contentReader(db, ground.reads);
  const signer = shareSigner(ground.secretKey);
  const downloads = noteDownloads({
    db,
    interest: downloadInterest,
    onError: (error) => warn(error, 'failed to record a download'),
  });
  const isAllowedAddress = (address: string) =>
    addressRule(config.importAllow ?? (isLoopback(publicUrl()) ? loopback : []))(address);
  return {
    /**
     * For other slices that write files. With these parts, their writes to a project take turns with all others, and
     * stay within the plan's limits.
     */
    writing,
    /**
     * For slow reads of other slices. It limits all slow reads together, so that they leave enough of the database pool
     * for everything else.
     */
    heavy,
    git,
    slots,
    /** For slices that merge branches for reasons of their own. */
    merging: {
      mergeBranches: (asked: Omit<MergeAsked, 'resolutions'>) => mergeBranches(merging, { ...asked, resolutions: [] }),
      prepareMerge: (asked: Preparing) => prepareMerge(merging, asked),
      findMergeBase: findMergeBase(merging),
      withCommitsOf: withCommitsOf(pushes),
      deleteBranch: (asked: Parameters<typeof deleteBranch>[1]) => deleteBranch(merging, asked),
    },
    /** For slices that speak git's protocol over connections of their own. */
    gitStreams: createGitStreams(merging, warn),
    /** Lends a repository directory that contains everything that the project has at that time. */
    caches,
    routes(api: App) {
      archiveRoutes(api, pushes);
      importRoutes(api, { db });
      forkRoutes(api, { ...pushes, once, config });
      fileRoutes(api, { ...files, put: groupPuts(files), readContent, config, largeBodies, heavy, disks, downloads });
      mergingRoutes(api, { ...merging, once, heavy, largeBodies, fileBodyLimit: config.fileBodyLimit });
      historyRoutes(api, { ...once, ...files, pushed: needs.pushed, config, largeBodies, heavy });
      searchRoutes(api, { ...once, signer, publicUrl, heavy });
    },
    otherRoutes(app: App) {
      gitRoutes(app, pushes, stillHolds);
      sharedFileRoutes(app, { ...once, signer, publicUrl, downloads });
    },
    jobs: {
      'repositories:import': (payload) => importRepository({ ...pushes, isAllowedAddress }, payload),
      ...packing.jobs,
    },
    cleaning: packing.cleaning,
    health: async () => ({ git: await describeGit() }),
    async stop() {
      await downloads.settled();
      await caches.close();
      await git.starter.close();
    },
  } satisfies Slice & Record<string, unknown>;
}
