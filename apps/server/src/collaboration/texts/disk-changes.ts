import { mergeOf } from './merge.ts';
import type { LiveEngine } from './room.ts';

type DiskChange = { base: string; content: string; userId: string };

/**
 * Merges a program's change of a file in a workspace into the file's live text, as an edit of the user who ran the
 * program. `base` is the content on which the program's change is based, which is an earlier state of this text. So
 * nothing that was typed meanwhile is overwritten, and nothing is applied twice. Resolves once the text is stored.
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
    lines.edit(mergeOf(base, lines.whole, content), null, userId);
    return async () => undefined;
  });
  // A program writes files, so its change is saved immediately. But if the text has unsaved typing, its author decides
  // when to save it.
  if (wasSaved) await texts.saveOpened(opened);
}
