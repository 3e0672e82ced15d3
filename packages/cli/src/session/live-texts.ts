import { BottegaError } from '@bottega/sdk';

/** Of a file that is edited live: as `@bottega/sdk/live` has it. */
export type LiveText = {
  readonly text: string;
  setText(text: string): void;
  close(): Promise<void>;
  on(event: 'change' | 'refused' | 'closed', listener: () => void): unknown;
};

/** What keeping in step needs of a live session. */
export type LiveFolder = {
  open(path: string): Promise<LiveText>;
  createFile(path: string, content: string): Promise<void>;
  deleteFile(path: string): Promise<void>;
  renameFile(path: string, newPath: string): Promise<void>;
};

type Listeners = {
  /** Somebody else has changed it. */
  onChange(path: string): void;
  /** What was changed here is taken back there. */
  onRefused(path: string): void;
};

/** A text, nothing, or what cannot be edited live. */
export type Opened = { kind: 'text'; text: LiveText } | { kind: 'missing' } | { kind: 'other'; why: string };

/** A socket may have 100 files open. */
export const mostOpen = 90;

/** The side of the session: its texts, of which only so many are open at once. */
export function createLiveTexts(live: LiveFolder, { onChange, onRefused }: Listeners) {
  const texts = new Map<string, LiveText>();

  async function open(path: string): Promise<Opened> {
    const known = texts.get(path);
    if (known) return { kind: 'text', text: known };
    try {
      // What was opened first is given up first; the commits of the project still tell of its changes.
      for (const oldest of [...texts.keys()].slice(0, Math.max(0, texts.size + 1 - mostOpen))) await letGo(oldest);
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

  async function letGo(path: string): Promise<void> {
    const text = texts.get(path);
    texts.delete(path);
    await text?.close();
  }

  return {
    open,
    textAt: (path: string): string | undefined => texts.get(path)?.text,
    /** Makes it what it has to be, from what it was when it was looked at. */
    async change(path: string, opened: Opened, result: string | null): Promise<'sent' | 'deleted there' | undefined> {
      const text = opened.kind === 'text' ? opened.text : undefined;
      if (result === (text?.text ?? null)) return undefined;
      if (result === null) {
        await letGo(path);
        await live.deleteFile(path);
        return 'deleted there';
      }
      if (text) text.setText(result);
      else await live.createFile(path, result);
      return 'sent';
    },
    async rename(from: string, to: string): Promise<void> {
      await letGo(from);
      await live.renameFile(from, to);
    },
    /** Somebody else has moved or deleted it: what was opened is not what is at its path. */
    forget: (path: string): void => void texts.delete(path),
  };
}
