import { BottegaError } from '@bottega/sdk';

/** A file that is edited live, as in `@bottega/sdk/live`. */
export type LiveText = {
  readonly text: string;
  setText(text: string): void;
  close(): Promise<void>;
  on(event: 'change' | 'refused' | 'closed', listener: () => void): unknown;
};

/** What the sync needs from a live session. */
export type LiveFolder = {
  open(path: string): Promise<LiveText>;
  createFile(path: string, content: string): Promise<void>;
  deleteFile(path: string): Promise<void>;
  renameFile(path: string, newPath: string): Promise<void>;
};

type Listeners = {
  /** Called when somebody else has changed the text. */
  onChange(path: string): void;
  /** Called when a local change was undone in the session. */
  onRefused(path: string): void;
};

/** A text, nothing, or something that cannot be edited live. */
export type Opened = { kind: 'text'; text: LiveText } | { kind: 'missing' } | { kind: 'other'; why: string };

/** Maximum number of open files. The service allows 100 per connection. */
export const maxOpen = 90;

/** The session's side of the sync: its texts, of which only a limited number is open at a time. */
export function createLiveTexts(live: LiveFolder, { onChange, onRefused }: Listeners) {
  const texts = new Map<string, LiveText>();

  async function open(path: string): Promise<Opened> {
    const known = texts.get(path);
    if (known) return { kind: 'text', text: known };
    try {
      // The text that was opened first is closed first. Its later changes are found through the project's commits.
      for (const oldest of [...texts.keys()].slice(0, Math.max(0, texts.size + 1 - maxOpen))) await closeText(oldest);
      const text = await live.open(path);
      texts.set(path, text);
      text.on('refused', () => onRefused(path));
      text.on('change', () => onChange(path));
      text.on('closed', () => texts.get(path) === text && texts.delete(path));
      return { kind: 'text', text };
    } catch (error) {
      if (!(error instanceof BottegaError) || error.code === 'CONNECTION_ERROR') throw error;
      return error.code === 'NOT_FOUND' ? { kind: 'missing' } : { kind: 'other', why: error.message };
    }
  }

  async function closeText(path: string): Promise<void> {
    const text = texts.get(path);
    texts.delete(path);
    await text?.close();
  }

  return {
    open,
    textAt: (path: string): string | undefined => texts.get(path)?.text,
    /** Changes the text to the result. The change is computed from the state of the text when it was read. */
    async change(path: string, opened: Opened, result: string | null): Promise<'sent' | 'deleted there' | undefined> {
      const text = opened.kind === 'text' ? opened.text : undefined;
      if (result === (text?.text ?? null)) return undefined;
      if (result === null) {
        await closeText(path);
        await live.deleteFile(path);
        return 'deleted there';
      }
      if (text) text.setText(result);
      else await live.createFile(path, result);
      return 'sent';
    },
    async rename(from: string, to: string): Promise<void> {
      await closeText(from);
      await live.renameFile(from, to);
    },
    /** Call this when somebody else has moved or deleted the file. The open text no longer belongs to this path. */
    forget: (path: string): void => void texts.delete(path),
  };
}
