import type { WorkspaceLanguage } from '@bottega/contract';

export type Problem = { path: string; line: number; column: number; severity: number; message: string };

/** The state of the help by a language server. `over`: the user no longer has the right to it. */
export type HelpState = { state: 'starting' | 'ready' | 'failed' | 'over'; reason: string | null };

export type Problems = {
  list: readonly Problem[];
  /** Why a language's server does not work. */
  reasons: readonly string[];
};

export type ProblemStore = ReturnType<typeof createProblemStore>;

/** The problems in open files, by language and path. */
export function createProblemStore() {
  const files = new Map<string, Problem[]>();
  const states = new Map<WorkspaceLanguage, HelpState>();
  const listeners = new Set<() => void>();
  let shown: Problems = { list: [], reasons: [] };

  function changed(): void {
    const list = [...files.values()].flat().sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
    const reasons = [...states.values()].flatMap(({ state, reason }) => (state === 'failed' && reason ? [reason] : []));
    shown = { list, reasons: [...new Set(reasons)] };
    for (const listener of listeners) listener();
  }

  return {
    set(path: string, problems: Problem[]): void {
      files.set(path, problems);
      changed();
    },
    setState(language: WorkspaceLanguage, state: HelpState): void {
      states.set(language, state);
      changed();
    },
    clear(): void {
      files.clear();
      states.clear();
      changed();
    },
    read: (): Problems => shown,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
