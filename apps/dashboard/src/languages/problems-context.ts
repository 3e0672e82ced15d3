import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ProblemStore, Problems } from './problem-store.ts';

export const ProblemsContext = createContext<ProblemStore | null>(null);

const none: Problems = { list: [], reasons: [] };

/** The problems in open files. */
export function useProblems(): Problems {
  const store = useContext(ProblemsContext);
  return useSyncExternalStore(store?.subscribe ?? (() => () => undefined), store?.read ?? (() => none));
}
