import type { Place } from '../api/project.ts';
import { dropAllGroups } from './kept-groups.ts';
import { type Tab, withDrafts } from './tabs.ts';
import { holdWindow, isGone, windowId } from './windows.ts';

/**
 * Unsaved text, which the browser stores until the user saves it, discards it or signs out. Each window stores its own
 * drafts and does not touch those of other open windows. It adopts the drafts of closed windows, so a reload or a crash
 * loses nothing. Drafts that the browser cannot store stay in memory while the page is open, so the user can still
 * switch to another branch.
 */

/** `projectId` also contains the branch, unless it is main. */
type Owner = { userId: string; projectId: string };
type Kept = Tab & Owner & { windowId: string; keptAt: number };

/** The owner of drafts. A space separates project and branch, because the name of a branch never contains one. */
export const ownerOf = (userId: string, { projectId, branch }: Place): Owner => ({
  userId,
  projectId: branch === undefined ? projectId : `${projectId} ${branch}`,
});

const maxDrafts = 100;
const longestDraft = 1_000_000;
const storeName = 'drafts-of-windows';
const keyPath = ['userId', 'projectId', 'windowId', 'path'] as const;

function openStore(): Promise<IDBDatabase> {
  const opening = indexedDB.open('bottega-drafts', 2);
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore(storeName, { keyPath: [...keyPath] });
    store.createIndex('keptAt', 'keptAt');
    if (opening.result.objectStoreNames.contains('drafts')) moveFormerDrafts(opening, store);
  };
  return answerOf(opening);
}

/** Converts drafts of version 1, in which drafts did not belong to windows. */
function moveFormerDrafts({ result: database, transaction }: IDBOpenDBRequest, store: IDBObjectStore): void {
  const former = transaction?.objectStore('drafts').getAll();
  former?.addEventListener('success', () => {
    for (const kept of former.result) store.put({ ...kept, windowId: 'former' });
    database.deleteObjectStore('drafts');
  });
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

const below = (...key: string[]) => IDBKeyRange.bound(key, [...key, []]);

/** Drafts that the browser could not store, by their owner's `projectId`. */
const unstored = new Map<string, Tab[]>();

/** Returns the unsaved drafts of this window and of closed ones, which this window stores from now on. */
export const adoptDrafts = async (owner: Owner): Promise<Tab[]> => {
  const { userId, projectId } = owner;
  const remembered = unstored.get(projectId) ?? [];
  holdWindow();
  try {
    const kept = await inStore<Kept[]>('readonly', (store) => answerOf(store.getAll(below(userId, projectId))));
    const windows = [...new Set(kept.map((one) => one.windowId))];
    const gone = new Set(await Promise.all(windows.map(async (id) => ((await isGone(id)) ? id : null))));
    const adopted = kept.filter((one) => gone.has(one.windowId)).toSorted((one, other) => other.keptAt - one.keptAt);
    const tabs = withDrafts(remembered, adopted.map(tabOf));
    await inStore('readwrite', async (store) => {
      for (const one of adopted) await answerOf(store.delete(keyPath.map((field) => one[field])));
      await putDrafts(store, owner, tabs.filter(isShort));
    });
    return tabs;
  } catch {
    return remembered;
  }
};

const isShort = ({ draft, stored }: Tab): boolean => draft.length + stored.length <= longestDraft;

const tabOf = ({ path, fileId, stored, etag, draft, otherDrafts = [] }: Kept): Tab => ({
  ...{ path, fileId, stored, etag, draft, otherDrafts },
});

/**
 * Stores exactly these drafts for this window and branch. If there are too many drafts in total, the oldest are
 * deleted.
 */
export const keepDrafts = (owner: Owner, tabs: readonly Tab[]): Promise<void> => {
  const long = tabs.filter((tab) => !isShort(tab));
  unstored.set(owner.projectId, long);
  return inStore('readwrite', async (store) => {
    await answerOf(store.delete(below(owner.userId, owner.projectId, windowId)));
    await putDrafts(store, owner, tabs.filter(isShort).slice(0, maxDrafts));
    const tooMany = (await answerOf(store.count())) - maxDrafts;
    const oldest = tooMany > 0 ? await answerOf(store.index('keptAt').getAllKeys(null, tooMany)) : [];
    for (const key of oldest) await answerOf(store.delete(key));
  }).catch(() => void unstored.set(owner.projectId, [...tabs]));
};

async function putDrafts(store: IDBObjectStore, owner: Owner, tabs: readonly Tab[]): Promise<void> {
  for (const tab of tabs) {
    const kept: Kept = { ...tab, ...owner, windowId, keptAt: Date.now() };
    await answerOf(store.put(kept));
  }
}

/** Deletes all drafts at sign-out, and also the stored names of open files. */
export const dropAllDrafts = (): Promise<void> => {
  unstored.clear();
  dropAllGroups();
  return inStore('readwrite', (store) => answerOf(store.clear())).catch(() => undefined);
};
