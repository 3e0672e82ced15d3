import { mergeOf } from './merge.ts';
import type { LiveEngine } from './room.ts';

type DiskChange = { base: string; content: string; userId: string };

/**
 * A program in a workspace changed a file that is open live. Its changes are applied to the text as an edit of the user
 * who ran the program. `base` is what the program found, which is a former state of this text: so nothing that was typed
 * meanwhile is overwritten, and nothing is applied twice. Resolves once the text is stored.
 */
export async function mergeDiskChange(
  texts: LiveEngine,
  at: { projectId: string; branch: string; path: string },
  { base, content, userId }: DiskChange,
): Promise<void> {
  const opened = await texts.open(at, at.path, userId);
  const wasSaved = opened.text.saves.name === 'saved';
  await texts.storeWith(opened, async () => {
    const { lines } = opened.text;
    lines.reconcile();
    lines.edit(mergeOf(base, lines.text.toString(), content), null, userId);
    return async () => undefined;
  });
  // A program writes files, not drafts. But what somebody types is saved when that person wants it.
  if (wasSaved) await texts.saveOpened(opened);
}
