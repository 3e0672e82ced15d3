import type { Page } from 'playwright-core';

/** The unsaved texts that the browser has stored. */
export const draftsIn = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('bottega-drafts');
    opening.onsuccess = () => {
      const [name] = opening.result.objectStoreNames;
      const drafts = opening.result.transaction(name).objectStore(name).getAll();
      drafts.onsuccess = () => { opening.result.close(); resolve(drafts.result.map(({ path, draft }) => path + ': ' + draft)); };
    };
  })`) as Promise<string[]>;
