import { join } from 'node:path';
import type { Tasks } from '../../foundation/jobs/enqueue.ts';
import { reachableIn } from '../cache/index.ts';
import { collectGarbage, collectUnversioned } from '../store/index.ts';
import { packDue } from './pack-due.service.ts';
import { type Packing, packHistory } from './pack-history.service.ts';

/** The background work that keeps histories small: it packs old objects, and deletes what nothing needs any more. */
export function createPacking(options: Omit<Packing, 'root'>) {
  const { db, git, caches } = options;
  const packing = { ...options, root: join(git.home, 'packing') };
  return {
    jobs: {
      'repositories:look': () => packDue(db, { all: false }),
      'repositories:pack': (payload: Tasks['repositories:pack']) => packHistory(packing, payload),
      'repositories:collect': (payload: Tasks['repositories:collect']) =>
        collectGarbage({ db, reachableFrom: reachableIn(caches, git) }, payload),
    },
    // `all` also finds projects in which nothing has happened for a long time.
    cleaning: [collectUnversioned, () => packDue(db, { all: true })],
  };
}
