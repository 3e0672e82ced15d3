import type { Place } from '../api/project.ts';
import type { Live } from '../live/use-live.ts';
import { readText } from './file-content.ts';
import type { Tab } from './tabs.ts';

/** The texts of a session that differ from what the branch has, as drafts for another branch. */
export async function sessionDrafts({ connection }: Live, place: Place, tabs: readonly Tab[]): Promise<Tab[]> {
  const drafts: Tab[] = [];
  for (const { path, text: draft } of connection?.texts() ?? []) {
    const tab = tabs.find((one) => one.path === path);
    if (!tab) continue;
    // The session may have saved the text many times since the tab was opened.
    const { text: stored, etag } = await readText(place, tab.fileId);
    if (stored !== draft) drafts.push({ ...tab, stored, etag, draft });
  }
  return drafts;
}
