import type { Tab } from './tabs.ts';

/**
 * What was typed and not saved, kept by the browser until it is saved, discarded, or its user signs out. A page that is
 * reloaded or a browser that dies loses nothing of it. Where the browser keeps nothing, there are no drafts.
 */

type Kept = Tab & { userId: string; projectId: string; keptAt: number };
type Owner = { userId: string; projectId: string };

const mostDrafts = 100;
const longestDraft = 1_000_000;
const storeName = 'drafts';

function openStore(): Promise<IDBDatabase> {
  const opening = indexedDB.open('bottega-drafts', 1);
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore(storeName, { keyPath: ['userId', 'projectId', 'path'] });
    store.createIndex('keptAt', 'keptAt');
  };
  return answerOf(opening);
}

const answerOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function inStore<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => Promise<Result>) {
  const database = await openStore();
  try {
    return await act(database.transaction(storeName, mode).objectStore(storeName));
  } finally {
    database.close();
  }
}

const ofProject = ({ userId, projectId }: Owner) => IDBKeyRange.bound([userId, projectId], [userId, projectId, []]);

export const readDrafts = (owner: Owner): Promise<Tab[]> =>
  inStore('readonly', async (store) => {
    const kept: Kept[] = await answerOf(store.getAll(ofProject(owner)));
    return kept.map(({ path, fileId, stored, etag, draft }) => ({ path, fileId, stored, etag, draft }));
  }).catch(() => []);

/** Exactly these are kept of the project from now on; of all projects, the oldest go once there are too many. */
export const keepDrafts = (owner: Owner, tabs: readonly Tab[]): Promise<void> =>
  inStore('readwrite', async (store) => {
    await answerOf(store.delete(ofProject(owner)));
    const short = tabs.filter(({ draft, stored }) => draft.length + stored.length <= longestDraft);
    for (const tab of short.slice(0, mostDrafts)) {
      const kept: Kept = { ...tab, ...owner, keptAt: Date.now() };
      await answerOf(store.put(kept));
    }
    const tooMany = (await answerOf(store.count())) - mostDrafts;
    const oldest = tooMany > 0 ? await answerOf(store.index('keptAt').getAllKeys(null, tooMany)) : [];
    for (const key of oldest) await answerOf(store.delete(key));
  }).catch(() => undefined);

export const dropAllDrafts = (): Promise<void> =>
  inStore('readwrite', (store) => answerOf(store.clear())).catch(() => undefined);
