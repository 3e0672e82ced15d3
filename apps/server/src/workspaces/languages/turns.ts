import { type Document, uriOf } from './documents.ts';
import type { LanguageServer } from './server.ts';

/** Somebody who asks the server, with the texts that the answers are to be about. */
export type Asker = { documents: ReadonlyMap<string, Document> };

/**
 * Lets clients with different texts of a file use the same server, which has only one text for each file. Before a
 * client's request, the server gets that client's texts. If other clients have other texts, their requests wait until
 * the requests before them are answered.
 */
export type Turns = {
  /**
   * Resolves once the server has the asker's texts. The caller must call the returned function when it has its answer.
   */
  enter(asker: Asker): Promise<() => void>;
  /** Closes files that nobody has open any more. */
  close(isOpen: (path: string) => boolean): void;
};

export function createTurns(server: Pick<LanguageServer, 'notify'>): Turns {
  const texts = new Map<string, { text: string; version: number }>();
  const waiting: { asker: Asker; begin(): void }[] = [];
  let running = 0;
  let holder: Asker | null = null;

  const isAligned = ({ documents }: Asker): boolean =>
    [...documents].every(([path, { text }]) => texts.get(path)?.text === text);

  function align({ documents }: Asker): void {
    for (const [path, { text, languageId }] of documents) {
      const before = texts.get(path);
      if (before?.text === text) continue;
      const version = (before?.version ?? 0) + 1;
      const uri = uriOf(path);
      if (!before) server.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      else server.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
      texts.set(path, { text, version });
    }
  }

  const mayBegin = (asker: Asker): boolean => running === 0 || holder === asker || isAligned(asker);

  function begin(asker: Asker): void {
    if (!isAligned(asker)) holder = asker;
    align(asker);
    running += 1;
  }

  function leave(): void {
    running -= 1;
    if (running === 0) holder = null;
    for (let [first] = waiting; first && mayBegin(first.asker); [first] = waiting) {
      waiting.shift();
      first.begin();
    }
  }

  return {
    enter: (asker) =>
      new Promise((resolve) => {
        let hasLeft = false;
        const once = () => {
          if (!hasLeft) leave();
          hasLeft = true;
        };
        const go = () => {
          begin(asker);
          resolve(once);
        };
        if (waiting.length === 0 && mayBegin(asker)) go();
        else waiting.push({ asker, begin: go });
      }),
    close(isOpen) {
      for (const path of [...texts.keys()]) {
        if (isOpen(path)) continue;
        texts.delete(path);
        server.notify('textDocument/didClose', { textDocument: { uri: uriOf(path) } });
      }
    },
  };
}
